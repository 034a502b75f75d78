#include "webhook/reviewer.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "api/admission_constraint_rules.h"
#include "api/cluster_queue.h"
#include "api/cluster_queue_rules.h"
#include "api/cohort.h"
#include "api/cohort_rules.h"
#include "api/object.h"
#include "api/registry.h"
#include "api/resource_flavor.h"
#include "api/resource_flavor_rules.h"
#include "api/well_known.h"
#include "api/workload.h"
#include "api/workload_rules.h"
#include "jobs/defaulting.h"
#include "jobs/job_rules.h"
#include "jobs/path.h"
#include "jobs/workload_for.h"
#include "schema/thread_decoder.h"
#include "store/json.h"
#include "webhook/device_class_review.h"

namespace berth::webhook {
namespace {

namespace json = store::json;

// So long a chain of owners is followed.
constexpr size_t kMostOwners = 10;

std::optional<api::Object> Read(const Attempt& attempt, const json::value& tree) {
  const api::FoundKind found = api::FindKind(attempt.api_version, attempt.kind);
  if (!found) return std::nullopt;
  api::Object object(*found.kind);
  const auto problems = schema::ThreadDecoder().Decode(
      store::PrintJson(tree), *found.kind, object.value(), {.is_former = found.is_former});
  if (!problems.empty()) return std::nullopt;
  return object;
}

// What was read already, or what is now, and kept. Null if there is nothing that can be read.
const api::Object* ReadOnce(const Attempt& attempt, const json::value* tree,
                            const api::Object* reading, std::optional<api::Object>& kept) {
  if (reading != nullptr || tree == nullptr) return reading;
  kept = Read(attempt, *tree);
  return kept ? &*kept : nullptr;
}

// Takes over how a value is written, where both have one.
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

// Quantities and durations in the form that Kubernetes prints, so that queues look the same
// whoever made them: "1.5" is "1500m".
void SpellAsKubernetesDoes(const Attempt& attempt, json::value& object) {
  const auto read = Read(attempt, object);
  if (!read) return;
  if (const auto printed = store::ParseJson(read->Encode())) TakeSpelling(object, *printed);
}

bool IsOurs(const Attempt& attempt) {
  return jobs::GroupOf(attempt.api_version) == api::kKueueGroup;
}

// A lone pod set needs no name of its own.
void NameLonePodSet(json::value& workload) {
  json::value* pod_sets = store::FindJson(workload, {"spec", "podSets"});
  if (pod_sets == nullptr || !pod_sets->is_array() || pod_sets->get_array().size() != 1) return;
  json::value& lone = pod_sets->get_array()[0];
  if (lone.is_object() && store::JsonStringAt(lone, {"name"}).empty())
    lone.get_object()["name"] = "main";
}

// The annotations as the field that they stand for.
void DefaultConstraints(json::value& workload) {
  const auto metadata = jobs::MetadataOf(workload);
  const auto asked = metadata ? api::ConstraintsOf(metadata->annotations)
                              : std::optional<api::AdmissionConstraints>();
  if (!asked) return;
  const auto set = [&](std::string_view field, const std::optional<std::string>& value) {
    if (!value) return;
    if (json::value* at = jobs::MakeAt(workload, "spec.admissionConstraints." + std::string(field)))
      *at = json::string(store::BoostView(*value));
  };
  set("preemption", asked->preemption);
  set("borrowing", asked->borrowing);
}

schema::Problems KindProblems(const api::Object& object, const api::Object* old,
                              const api::ValidationOptions& options, schema::Problems& warnings) {
  if (const auto* queue = object.As<api::ClusterQueue>()) {
    warnings = api::WarningsForClusterQueue(*queue, options);
    return api::ValidateClusterQueue(*queue, old ? old->As<api::ClusterQueue>() : nullptr, options);
  }
  if (const auto* cohort = object.As<api::Cohort>()) return api::ValidateCohort(*cohort);
  if (const auto* flavor = object.As<api::ResourceFlavor>())
    return api::ValidateResourceFlavor(*flavor);
  if (const auto* w = object.As<api::Workload>()) {
    warnings = api::WarningsForWorkload(*w, options);
    return api::ValidateWorkload(*w, old ? old->As<api::Workload>() : nullptr, options);
  }
  return {};
}

// The owners of an object, nearest first, as far as they are there.
struct OwnerChain {
  std::deque<api::ObjectMeta> metadata;
  std::deque<std::pair<std::string, std::string>> kinds;
  std::vector<jobs::ObjectView> views;

  OwnerChain(const api::ObjectMeta& child, std::string_view namespace_name, const Lookup& lookup) {
    const api::OwnerReference* owner = jobs::ControllerOf(child);
    while (owner != nullptr && views.size() < kMostOwners) {
      const auto object = lookup.FindOwner(namespace_name, *owner);
      if (!object) return;
      auto read = jobs::MetadataOf(*object);
      if (!read) return;
      kinds.emplace_back(owner->api_version, owner->kind);
      metadata.push_back(std::move(*read));
      views.push_back({.api_version = kinds.back().first,
                       .kind = kinds.back().second,
                       .metadata = &metadata.back()});
      owner = jobs::ControllerOf(metadata.back());
    }
  }
};

}  // namespace

Reviewer::Reviewer(const api::Configuration& configuration, const api::FeatureGates& gates,
                   const jobs::IntegrationSet& integrations)
    : gates_(gates),
      options_(api::ValidationOptions::From(configuration, gates)),
      integrations_(integrations),
      managed_(configuration, gates, integrations.AddedKinds()) {}

bool Reviewer::HasDefaultQueue(const Attempt& attempt, const Lookup& lookup) const {
  return lookup.HasLocalQueue(attempt.namespace_, api::kDefaultLocalQueueName);
}

bool Reviewer::IsConcerned(const jobs::Integration& integration, const json::value& object) const {
  if (managed_.IsListed(integration.api_version, integration.kind)) return true;
  if (integration.waits != jobs::kWaitsAsPods) return false;
  const std::string parent = jobs::TextAt(
      object, "metadata.annotations[" + std::string(api::kPodSuspendingParentAnnotation) + "]");
  const jobs::Integration* set = parent.empty() ? nullptr : integrations_.FindFramework(parent);
  return set != nullptr && managed_.IsListed(set->api_version, set->kind);
}

base::Result<json::value> Reviewer::Mutate(const Attempt& attempt, json::value object,
                                           const Lookup& lookup) const {
  if (!attempt.subresource.empty()) return object;
  if (IsOurs(attempt) && attempt.old_object == nullptr) SpellAsKubernetesDoes(attempt, object);
  if (IsOurs(attempt) && attempt.kind == api::Workload::KindInfo().kind) {
    NameLonePodSet(object);
    if (gates_.IsOn(api::Gate::kWorkloadAdmissionConstraints)) DefaultConstraints(object);
  }
  const jobs::Integration* integration = integrations_.Find(attempt.api_version, attempt.kind);
  const bool may_change = attempt.old_object == nullptr ||
                          (integration != nullptr && integration->waits_through_pods() &&
                           integration->waits != jobs::kWaitsAsPods);
  if (integration == nullptr || !may_change || !IsConcerned(*integration, object)) return object;
  const auto metadata = jobs::MetadataOf(object);
  if (!metadata) return object;  // validation says what is wrong with it
  const OwnerChain owners(*metadata, attempt.namespace_, lookup);
  const api::Labels labels = lookup.NamespaceLabels(attempt.namespace_);
  auto defaulted =
      jobs::ApplyJobDefaults(*integration, object,
                             {.policy = &managed_,
                              .namespace_labels = &labels,
                              .owners = owners.views,
                              .gates = gates_,
                              .has_default_queue = HasDefaultQueue(attempt, lookup),
                              .has_default_priority_class =
                                  lookup.HasWorkloadPriorityClass(api::kDefaultPriorityClassName),
                              .is_multi_kueue = {}});
  if (!defaulted) return std::unexpected(defaulted.error());
  return std::move(defaulted->job);
}

schema::Problems Reviewer::Validate(const Attempt& attempt, const json::value& object,
                                    const Lookup& lookup,
                                    std::vector<std::string>& warnings) const {
  if (IsOurs(attempt)) {
    std::optional<api::Object> kept, old_kept;
    const api::Object* read = ReadOnce(attempt, &object, attempt.reading, kept);
    if (read == nullptr) return {};
    const api::Object* old = ReadOnce(attempt, attempt.old_object, attempt.old_reading, old_kept);
    schema::Problems doubts;
    schema::Problems problems = KindProblems(*read, old, options_, doubts);
    if (attempt.subresource.empty() && gates_.IsOn(api::Gate::kKueueDynamicResourceAllocation))
      std::ranges::move(ReviewDeviceClasses(*read, old, lookup), std::back_inserter(problems));
    for (const schema::Problem& doubt : doubts)
      warnings.push_back(doubt.field.empty() ? doubt.message : doubt.field + ": " + doubt.message);
    return problems;
  }
  const jobs::Integration* integration = integrations_.Find(attempt.api_version, attempt.kind);
  if (integration == nullptr || !attempt.subresource.empty() || !IsConcerned(*integration, object))
    return {};
  const jobs::JobRules rules{.gates = gates_,
                             .has_default_queue = HasDefaultQueue(attempt, lookup),
                             .pod_sets = jobs::PodSetOptions::From(gates_)};
  return attempt.old_object == nullptr
             ? jobs::ValidateJobCreate(*integration, object, rules)
             : jobs::ValidateJobUpdate(*integration, *attempt.old_object, object, rules);
}

std::string ValidatingWebhookName(std::string_view kind) {
  std::string name = "v";
  for (const char c : kind) name += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return name + ".kb.io";
}

std::string DenialMessage(std::string_view kind, const schema::Problems& problems) {
  std::string text;
  for (const schema::Problem& problem : problems)
    text += (text.empty() ? "" : ", ") + problem.field + ": " + problem.message;
  if (problems.size() > 1) text = "[" + text + "]";
  return "admission webhook \"" + ValidatingWebhookName(kind) + "\" denied the request: " + text;
}

}  // namespace berth::webhook
