#include "lint/managed_jobs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "api/batch/cron_job.h"
#include "api/config/integration_names.h"
#include "api/core/namespace.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/rules/constraint_warnings.h"
#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "jobs/managed.h"
#include "lint/checks.h"
#include "objects/owner_chain.h"
#include "objects/stored_object.h"

namespace berth::lint {
namespace {

// Decides which jobs of a catalog its Configuration manages.
class ManagedJobFinder {
 public:
  explicit ManagedJobFinder(const Catalog& catalog)
      : catalog_(catalog), policy_(catalog.configuration(), catalog.gates()) {
    for (const Entry& entry : catalog.entries()) {
      if (!entry.metadata().uid.empty()) by_uid_.try_emplace(entry.metadata().uid, &entry);
    }
  }

  const jobs::ManagedJobsPolicy& policy() const { return policy_; }

  // Nullopt if the object is not a job.
  std::optional<jobs::ObjectView> ViewOf(const Entry& entry) const {
    const auto* cron = entry.object ? entry.object->As<api::CronJob>() : nullptr;
    if (cron != nullptr)
      return jobs::ObjectView{"batch/v1", "Job", &cron->spec.job_template.metadata};
    const std::string& api_version = entry.manifest->api_version;
    const std::string& kind = entry.manifest->kind;
    const bool is_job =
        policy_.IsListedOrExternal(api_version, kind) ||
        std::ranges::any_of(api::AllIntegrations(), [&](const api::IntegrationName& name) {
          return name.kind == kind && name.group == jobs::GroupOf(api_version);
        });
    if (!is_job) return std::nullopt;
    return jobs::ObjectView{api_version, kind, &entry.metadata()};
  }

  jobs::ManagedAnswer Answer(const Entry& entry, const jobs::ObjectView& view) const {
    return jobs::IsManaged(view, NamespaceLabels(entry.metadata().namespace_), OwnersOf(view),
                           policy_);
  }

 private:
  api::Labels NamespaceLabels(const std::string& name) const {
    const std::string_view known_as = objects::NamespaceOrDefault(name);
    const auto* space = catalog_.Find<api::Namespace>(known_as);
    api::Labels labels = space == nullptr ? api::Labels() : space->metadata.labels;
    labels.Set(api::kNamespaceNameLabel, std::string(known_as));
    return labels;
  }

  std::vector<jobs::ObjectView> OwnersOf(const jobs::ObjectView& view) const {
    std::vector<jobs::ObjectView> owners;
    objects::WalkOwners(
        *view.metadata, [&](const api::OwnerReference& reference) -> const api::ObjectMeta* {
          const auto found = by_uid_.find(reference.uid);
          if (found == by_uid_.end()) return nullptr;
          const Entry& owner = *found->second;
          owners.push_back({owner.manifest->api_version, owner.manifest->kind, &owner.metadata()});
          return &owner.metadata();
        });
    return owners;
  }

  const Catalog& catalog_;
  jobs::ManagedJobsPolicy policy_;
  std::map<std::string, const Entry*, std::less<>> by_uid_;
};

bool HasDefaultQueue(const Catalog& catalog, const std::string& space) {
  return std::ranges::any_of(catalog.All(api::LocalQueue::KindInfo()), [&](const Entry* queue) {
    return queue->metadata().name == api::kDefaultLocalQueueName &&
           queue->metadata().namespace_ == space;
  });
}

}  // namespace

std::vector<ManagedJob> ManagedJobs(std::span<const api::Manifest> manifests,
                                    const LintOptions& options) {
  const Catalog catalog(manifests, options.gates);
  const ManagedJobFinder finder(catalog);
  std::vector<ManagedJob> found;
  for (const Entry& entry : catalog.entries()) {
    const auto view = finder.ViewOf(entry);
    if (!view) continue;
    const jobs::ManagedAnswer answer = finder.Answer(entry, *view);
    found.push_back({.object = {.api_version = entry.manifest->api_version,
                                .kind = entry.manifest->kind,
                                .namespace_ = entry.metadata().namespace_,
                                .name = entry.metadata().name},
                     .place = entry.manifest->source.PlaceOf(0),
                     .is_managed = answer.is_managed(),
                     .reason = jobs::ToString(answer, *view, finder.policy())});
  }
  return found;
}

// Needs a Configuration in the set: kinds and namespaces are unknown without one.
void CheckManagedJobs(const Catalog& catalog, Report& report) {
  if (catalog.All(api::Configuration::KindInfo()).empty()) return;
  const ManagedJobFinder finder(catalog);
  for (const Entry& entry : catalog.entries()) {
    const auto view = finder.ViewOf(entry);
    if (!view) continue;
    const jobs::ManagedAnswer answer = finder.Answer(entry, *view);
    const bool has_queue = !jobs::QueueNameOf(*view->metadata).empty();
    if (has_queue && !answer.is_managed() && answer.reason != jobs::ManagedReason::kManagedOwner &&
        answer.reason != jobs::ManagedReason::kExternalKind) {
      report.Warn(entry, "queue-name-ignored",
                  {.field = "metadata.labels[" + std::string(api::kQueueNameLabel) + "]",
                   .message = "label is ignored: the job is " +
                              jobs::ToString(answer, *view, finder.policy()),
                   .hint = "change the Configuration, or remove the label"});
    }
    if (!answer.is_managed() && answer.reason != jobs::ManagedReason::kExternalKind) {
      api::ProblemReport unused;
      const auto in = unused.In("metadata");
      WarnAboutUnusedConstraints(*view->metadata,
                                 "the job is " + jobs::ToString(answer, *view, finder.policy()),
                                 "remove it, or have the job managed", unused);
      for (const schema::Problem& problem : std::move(unused).Take())
        report.Add(entry, Severity::kWarning, "no-effect", problem);
    }
    if (answer.reason == jobs::ManagedReason::kNamespace &&
        !HasDefaultQueue(catalog, entry.metadata().namespace_)) {
      report.Warn(
          entry, "no-queue-name",
          {.field = "metadata.labels",
           .message =
               "the job is managed without a queue name: it stays suspended until one is set",
           .hint = "add the label " + std::string(api::kQueueNameLabel) +
                   ", or create a LocalQueue \"default\" in its namespace"});
    }
  }
}

}  // namespace berth::lint
