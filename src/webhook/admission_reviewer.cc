#include "webhook/admission_reviewer.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/cohort_rules.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "api/kueue/rules/workload_rules.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "api/meta/registry.h"
#include "jobs/defaulting.h"
#include "jobs/job_state.h"
#include "jobs/rules/job_rules.h"
#include "jobs/rules/job_warnings.h"
#include "jobs/workload_for.h"
#include "json/json.h"
#include "json/path.h"
#include "lifecycle/messages.h"
#include "objects/owner_chain.h"
#include "schema/thread_decoder.h"
#include "webhook/device_class_review.h"
#include "webhook/object_defaults.h"

namespace berth::webhook {
namespace {

std::optional<api::Object> Read(const AdmissionRequest& request, const json::value& tree) {
  const api::FoundKind found = api::FindKind(request.resource.ApiVersion(), request.resource.kind);
  if (!found) return std::nullopt;
  api::Object object(*found.kind);
  const auto problems = schema::ThreadDecoder().Decode(
      json::Print(tree), *found.kind, object.value(), {.is_previous = found.is_previous});
  if (!problems.empty()) return std::nullopt;
  return object;
}

// The decoded object, decoded now into `kept` if need be. Null if it cannot be decoded.
const api::Object* ReadOnce(const AdmissionRequest& request, const json::value* tree,
                            const api::Object* decoded, std::optional<api::Object>& kept) {
  if (decoded != nullptr || tree == nullptr) return decoded;
  kept = Read(request, *tree);
  return kept ? &*kept : nullptr;
}

// Copies the spelling of scalar values present in both trees.
void TakeSpelling(json::value& to, const json::value& from) {
  if (to.is_object() && from.is_object()) {
    for (auto& [key, value] : to.get_object())
      if (const json::value* there = from.get_object().if_contains(key))
        TakeSpelling(value, *there);
  } else if (to.is_array() && from.is_array()) {
    const size_t size = std::min(to.get_array().size(), from.get_array().size());
    for (size_t i = 0; i < size; ++i) TakeSpelling(to.get_array()[i], from.get_array()[i]);
  } else if (!to.is_structured() && !to.is_null() && !from.is_structured()) {
    to = from;
  }
}

// Rewrites quantities and durations in canonical form, as Kubernetes stores them: "1.5" is "1500m".
void SpellAsKubernetesDoes(const AdmissionRequest& request, json::value& object) {
  const auto read = Read(request, object);
  if (!read) return;
  if (const auto printed = json::Parse(read->Encode())) TakeSpelling(object, *printed);
}

bool IsOurs(const AdmissionRequest& request) { return request.resource.group == api::kKueueGroup; }

// With the hints: kubectl shows what to write instead.
void AddWarnings(const schema::Problems& problems, std::vector<std::string>& warnings) {
  for (const schema::Problem& problem : problems) warnings.push_back(schema::ToString(problem));
}

schema::Problems KindProblems(const api::Object& object, const api::Object* old,
                              const api::ValidationOptions& options, schema::Problems& warnings) {
  if (const auto* queue = object.As<api::ClusterQueue>()) {
    warnings = api::WarningsForClusterQueue(*queue, options);
    return api::ValidateClusterQueue(*queue, old ? old->As<api::ClusterQueue>() : nullptr, options);
  }
  if (const auto* cohort = object.As<api::Cohort>()) {
    warnings = api::WarningsForCohort(*cohort, options);
    return api::ValidateCohort(*cohort);
  }
  if (const auto* flavor = object.As<api::ResourceFlavor>())
    return api::ValidateResourceFlavor(*flavor);
  if (const auto* w = object.As<api::Workload>()) {
    warnings = api::WarningsForWorkload(*w, options);
    return api::ValidateWorkload(*w, old ? old->As<api::Workload>() : nullptr, options);
  }
  return {};
}

// The existing owners of an object, nearest first.
struct OwnerChain {
  std::deque<api::ObjectMeta> metadata;
  std::deque<std::pair<std::string, std::string>> kinds;
  std::vector<jobs::ObjectView> views;

  OwnerChain(const api::ObjectMeta& child, std::string_view namespace_name, const Lookup& lookup) {
    objects::WalkOwners(child, [&](const api::OwnerReference& owner) -> const api::ObjectMeta* {
      const auto object = lookup.FindOwner(namespace_name, owner);
      if (!object) return nullptr;
      auto read = jobs::MetadataOf(*object);
      if (!read) return nullptr;
      kinds.emplace_back(owner.api_version, owner.kind);
      metadata.push_back(std::move(*read));
      views.push_back({.api_version = kinds.back().first,
                       .kind = kinds.back().second,
                       .metadata = &metadata.back()});
      return &metadata.back();
    });
  }
};

}  // namespace

AdmissionReviewer::AdmissionReviewer(const api::Configuration& configuration,
                                     const api::FeatureGates& gates,
                                     const jobs::IntegrationSet& integrations)
    : gates_(gates),
      options_(api::ValidationOptions::From(configuration, gates)),
      integrations_(integrations),
      managed_(configuration, gates, integrations.AddedKinds()),
      quota_(configuration, gates) {}

bool AdmissionReviewer::HasDefaultQueue(const AdmissionRequest& request,
                                        const Lookup& lookup) const {
  return lookup.HasLocalQueue(request.namespace_, api::kDefaultLocalQueueName);
}

bool AdmissionReviewer::IsManagedKind(const jobs::Integration& integration,
                                      const json::value& object) const {
  if (managed_.IsListed(integration.api_version, integration.kind)) return true;
  if (integration.suspension != jobs::kSuspendedByGate) return false;
  const std::string parent = json::TextAt(
      object, "metadata.annotations[" + std::string(api::kPodSuspendingParentAnnotation) + "]");
  const jobs::Integration* set = parent.empty() ? nullptr : integrations_.FindFramework(parent);
  return set != nullptr && managed_.IsListed(set->api_version, set->kind);
}

base::Result<json::value> AdmissionReviewer::Mutate(const AdmissionRequest& request,
                                                    json::value object,
                                                    const Lookup& lookup) const {
  if (!request.subresource.empty()) return object;
  if (IsOurs(request) && request.old_object == nullptr) SpellAsKubernetesDoes(request, object);
  if (IsOurs(request))
    ApplyObjectDefaults(request.resource.kind, request.old_object == nullptr, gates_, object);
  const jobs::Integration* integration =
      integrations_.Find(request.resource.ApiVersion(), request.resource.kind);
  const bool may_change = request.old_object == nullptr ||
                          (integration != nullptr && integration->uses_scheduling_gates() &&
                           integration->suspension != jobs::kSuspendedByGate);
  if (integration == nullptr || !may_change || !IsManagedKind(*integration, object)) return object;
  const auto metadata = jobs::MetadataOf(object);
  if (!metadata) return object;  // validation reports the error
  const OwnerChain owners(*metadata, request.namespace_, lookup);
  const api::Labels labels = lookup.NamespaceLabels(request.namespace_);
  auto defaulted =
      jobs::ApplyJobDefaults(*integration, object,
                             {.policy = &managed_,
                              .namespace_labels = &labels,
                              .owners = owners.views,
                              .gates = gates_,
                              .has_default_queue = HasDefaultQueue(request, lookup),
                              .has_default_priority_class =
                                  lookup.HasWorkloadPriorityClass(api::kDefaultPriorityClassName),
                              .is_multi_kueue = {}});
  if (!defaulted) return std::unexpected(defaulted.error());
  return std::move(defaulted->job);
}

schema::Problems AdmissionReviewer::Validate(const AdmissionRequest& request,
                                             const json::value& object, const Lookup& lookup,
                                             std::vector<std::string>& warnings) const {
  if (IsOurs(request)) {
    std::optional<api::Object> kept, old_kept;
    const api::Object* read = ReadOnce(request, &object, request.decoded, kept);
    if (read == nullptr) return {};
    const api::Object* old = ReadOnce(request, request.old_object, request.old_decoded, old_kept);
    schema::Problems problems_to_warn_of;
    schema::Problems problems = KindProblems(*read, old, options_, problems_to_warn_of);
    if (request.subresource.empty() && gates_.IsOn(api::Gate::kKueueDynamicResourceAllocation))
      std::ranges::move(ReviewDeviceClasses(*read, old, lookup), std::back_inserter(problems));
    if (request.subresource.empty()) AddWarnings(problems_to_warn_of, warnings);
    const auto* workload = read->As<api::Workload>();
    if (workload != nullptr && problems.empty()) WarnOfQuota(request, *workload, lookup, warnings);
    return problems;
  }
  const jobs::Integration* integration =
      integrations_.Find(request.resource.ApiVersion(), request.resource.kind);
  if (integration == nullptr || !request.subresource.empty() ||
      !IsManagedKind(*integration, object))
    return {};
  const jobs::JobRules rules{.gates = gates_,
                             .has_default_queue = HasDefaultQueue(request, lookup),
                             .manages_without_queue_name = managed_.manages_without_queue_name(),
                             .pod_sets = jobs::PodSetOptions::From(gates_)};
  const schema::Problems unused = jobs::WarningsForJob(*integration, object, gates_);
  if (request.old_object != nullptr) {
    if (!unused.empty() &&
        unused != jobs::WarningsForJob(*integration, *request.old_object, gates_))
      AddWarnings(unused, warnings);
    return jobs::ValidateJobUpdate(*integration, *request.old_object, object, rules);
  }
  AddWarnings(unused, warnings);
  schema::Problems problems = jobs::ValidateJobCreate(*integration, object, rules);
  if (!problems.empty()) return problems;
  WarnOfMissingQueue(request, object, lookup, warnings);
  WarnOfQuota(request, *integration, object, lookup, warnings);
  return problems;
}

// Jobs with an owner are left out: they may be admitted with it.
void AdmissionReviewer::WarnOfMissingQueue(const AdmissionRequest& request, const json::value& job,
                                           const Lookup& lookup,
                                           std::vector<std::string>& warnings) const {
  const auto metadata = jobs::MetadataOf(job);
  if (!metadata || !jobs::QueueNameOf(*metadata).empty() || !metadata->owner_references.empty())
    return;
  const std::string api_version = request.resource.ApiVersion();
  const jobs::ObjectView view{
      .api_version = api_version, .kind = request.resource.kind, .metadata = &*metadata};
  if (IsManaged(view, lookup.NamespaceLabels(request.namespace_), {}, managed_).is_managed())
    warnings.push_back(lifecycle::messages::QueueNameMissing());
}

// A Workload with an owner was made for a job, and the job was warned of.
void AdmissionReviewer::WarnOfQuota(const AdmissionRequest& request, const api::Workload& workload,
                                    const Lookup& lookup,
                                    std::vector<std::string>& warnings) const {
  if (request.old_object != nullptr || !request.subresource.empty() ||
      !workload.metadata.owner_references.empty())
    return;
  std::ranges::move(quota_.Warnings({.namespace_ = request.namespace_,
                                     .queue = workload.spec.queue_name.value_or(""),
                                     .pod_sets = workload.spec.pod_sets,
                                     .cannot_borrow = CannotBorrow(api::ConstraintsOf(workload))},
                                    lookup),
                    std::back_inserter(warnings));
}

// Jobs with an owner, jobs with a Workload made before, and sets of serving pods are left out:
// other objects decide on their requests.
void AdmissionReviewer::WarnOfQuota(const AdmissionRequest& request,
                                    const jobs::Integration& integration, const json::value& job,
                                    const Lookup& lookup,
                                    std::vector<std::string>& warnings) const {
  const auto metadata = jobs::MetadataOf(job);
  if (!metadata || jobs::QueueNameOf(*metadata).empty() || !metadata->owner_references.empty() ||
      !jobs::PrebuiltWorkloadName(*metadata, true).empty() || jobs::IsSkipped(integration, job) ||
      (integration.suspension != jobs::kSuspendedByFlag &&
       integration.suspension != jobs::kSuspendedByGate))
    return;
  const std::string api_version = request.resource.ApiVersion();
  const jobs::ObjectView view{
      .api_version = api_version, .kind = request.resource.kind, .metadata = &*metadata};
  if (!IsManaged(view, lookup.NamespaceLabels(request.namespace_), {}, managed_).is_managed())
    return;
  auto pod_sets = jobs::PodSets(integration, job, jobs::PodSetOptions::From(gates_));
  if (!pod_sets) return;
  std::ranges::move(
      quota_.Warnings({.namespace_ = request.namespace_,
                       .queue = jobs::QueueNameOf(*metadata),
                       .pod_sets = std::move(*pod_sets),
                       .cannot_borrow = CannotBorrow(api::ConstraintsOf(metadata->annotations))},
                      lookup),
      std::back_inserter(warnings));
}

bool AdmissionReviewer::CannotBorrow(
    const std::optional<api::AdmissionConstraints>& constraints) const {
  return gates_.IsOn(api::Gate::kWorkloadAdmissionConstraints) && constraints &&
         constraints->borrowing.has_value();
}

std::string ValidatingWebhookName(std::string_view kind) {
  std::string name = "v";
  for (const char c : kind) name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return name + ".kb.io";
}

std::string DenialMessage(std::string_view kind, const schema::Problems& problems) {
  std::string text;
  for (const schema::Problem& problem : problems)
    text += (text.empty() ? "" : ", ") + schema::ToString(problem);
  if (problems.size() > 1) text = "[" + text + "]";
  return "admission webhook \"" + ValidatingWebhookName(kind) + "\" denied the request: " + text;
}

}  // namespace berth::webhook
