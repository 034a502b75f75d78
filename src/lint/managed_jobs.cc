#include "lint/managed_jobs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "api/cron_job.h"
#include "api/integration_names.h"
#include "api/local_queue.h"
#include "api/namespace.h"
#include "api/problem_report.h"
#include "api/well_known.h"
#include "jobs/managed.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

// Deeper than anything real; owners that own each other would not end.
constexpr size_t kMostOwners = 16;

// The jobs of a catalog, seen with its Configuration.
class ManagedJobFinder {
 public:
  explicit ManagedJobFinder(const Catalog& catalog)
      : catalog_(catalog), policy_(catalog.configuration(), catalog.gates()) {
    for (const Entry& entry : catalog.entries()) {
      if (!entry.metadata().uid.empty()) by_uid_.try_emplace(entry.metadata().uid, &entry);
    }
  }

  const jobs::ManagedJobsPolicy& policy() const { return policy_; }

  // Nullopt of what is no job.
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
    const auto* space = catalog_.Find<api::Namespace>(name.empty() ? "default" : name);
    api::Labels labels = space == nullptr ? api::Labels() : space->metadata.labels;
    labels.Set(api::kNamespaceNameLabel, name.empty() ? "default" : name);
    return labels;
  }

  std::vector<jobs::ObjectView> OwnersOf(const jobs::ObjectView& view) const {
    std::vector<jobs::ObjectView> owners;
    const api::ObjectMeta* child = view.metadata;
    while (owners.size() < kMostOwners) {
      const api::OwnerReference* reference = jobs::ControllerOf(*child);
      if (reference == nullptr) break;
      const auto found = by_uid_.find(reference->uid);
      if (found == by_uid_.end()) break;
      const Entry& owner = *found->second;
      owners.push_back({owner.manifest->api_version, owner.manifest->kind, &owner.metadata()});
      child = &owner.metadata();
    }
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

// Without a Configuration in the set nothing is known of which kinds and namespaces are meant.
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
      report.Warn(
          entry, "queue-name-ignored",
          {.field = "metadata.labels[" + std::string(api::kQueueNameLabel) + "]",
           .message = "is ignored; the job is " + jobs::ToString(answer, *view, finder.policy()),
           .hint = "change the Configuration, or remove the label"});
    }
    if (answer.reason == jobs::ManagedReason::kNamespace &&
        !HasDefaultQueue(catalog, entry.metadata().namespace_)) {
      report.Warn(entry, "no-queue-name",
                  {.field = "metadata.labels",
                   .message = "the job is managed and names no queue, so it is held back until "
                              "it does",
                   .hint = "add the label " + std::string(api::kQueueNameLabel) +
                           ", or create a LocalQueue \"default\" in its namespace"});
    }
  }
}

}  // namespace berth::lint
