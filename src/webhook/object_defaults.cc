#include "webhook/object_defaults.h"

#include <algorithm>
#include <optional>
#include <string>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "jobs/workload_for.h"
#include "json/path.h"

namespace berth::webhook {
namespace {

// Values of a wrong type stay; decoding reports them.
void AddInUseFinalizer(json::value& object) {
  json::value* finalizers = json::MakeAt(object, "metadata.finalizers");
  if (finalizers == nullptr) return;
  if (finalizers->is_null()) *finalizers = json::array();
  if (!finalizers->is_array()) return;
  const json::value name = json::Text(api::kResourceInUseFinalizer);
  if (std::ranges::find(finalizers->get_array(), name) == finalizers->get_array().end())
    finalizers->get_array().push_back(name);
}

json::array* PodSetsOf(json::value& workload) {
  json::value* pod_sets = json::Find(workload, {"spec", "podSets"});
  return pod_sets != nullptr && pod_sets->is_array() ? &pod_sets->get_array() : nullptr;
}

// A single pod set may omit its name.
void NameLonePodSet(json::value& workload) {
  json::array* pod_sets = PodSetsOf(workload);
  if (pod_sets == nullptr || pod_sets->size() != 1) return;
  json::value& lone = pod_sets->front();
  if (lone.is_object() && json::StringAt(lone, {"name"}).empty())
    lone.get_object()["name"] = "main";
}

void DropMinCounts(json::value& workload) {
  json::array* pod_sets = PodSetsOf(workload);
  if (pod_sets == nullptr) return;
  for (json::value& pod_set : *pod_sets)
    if (pod_set.is_object()) pod_set.get_object().erase("minCount");
}

// Copies constraint annotations to the field they stand for.
void DefaultConstraints(json::value& workload) {
  const auto metadata = jobs::MetadataOf(workload);
  const auto asked = metadata ? api::ConstraintsOf(metadata->annotations)
                              : std::optional<api::AdmissionConstraints>();
  if (!asked) return;
  const auto set = [&](std::string_view field, const std::optional<std::string>& value) {
    if (!value) return;
    if (json::value* at = json::MakeAt(workload, "spec.admissionConstraints." + std::string(field)))
      *at = json::string(json::BoostView(*value));
  };
  set("preemption", asked->preemption);
  set("borrowing", asked->borrowing);
}

}  // namespace

void ApplyObjectDefaults(std::string_view kind, bool is_create, const api::FeatureGates& gates,
                         json::value& object) {
  const bool is_protected =
      kind == api::ClusterQueue::KindInfo().kind || kind == api::ResourceFlavor::KindInfo().kind;
  if (is_protected && is_create) AddInUseFinalizer(object);
  if (kind != api::Workload::KindInfo().kind) return;
  NameLonePodSet(object);
  if (is_create && !gates.IsOn(api::Gate::kPartialAdmission)) DropMinCounts(object);
  if (gates.IsOn(api::Gate::kWorkloadAdmissionConstraints)) DefaultConstraints(object);
}

}  // namespace berth::webhook
