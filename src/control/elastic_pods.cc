#include "control/elastic_pods.h"

#include <algorithm>
#include <utility>

#include "api/well_known.h"
#include "control/pace.h"
#include "control/slices.h"
#include "jobs/pod_group.h"
#include "store/json.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace json = store::json;

bool IsGate(std::string_view gate) { return gate == api::kElasticJobSchedulingGate; }

}  // namespace

std::vector<std::string> PodsToLetThrough(std::vector<ElasticPod> pods,
                                          const api::Workload& slice) {
  std::map<std::string_view, int64_t> room;
  for (const api::PodSet& pod_set : slice.spec.pod_sets)
    room[pod_set.name] = pod_set.count.value_or(1);
  for (const ElasticPod& pod : pods)
    if (!pod.is_gated) --room[pod.pod_set];
  std::ranges::sort(pods, {}, &ElasticPod::name);
  std::vector<std::string> names;
  for (const ElasticPod& pod : pods)
    if (pod.is_gated && room[pod.pod_set]-- > 0) names.push_back(pod.name);
  return names;
}

ElasticPods::ElasticPods(store::Store& store, store::Executor& executor,
                         const workload::EngineFeed& feed, Hooks hooks)
    : store_(store),
      executor_(executor),
      feed_(feed),
      hooks_(std::move(hooks)),
      self_(std::make_shared<ElasticPods*>(this)) {}

ElasticPods::~ElasticPods() = default;

void ElasticPods::Touch(const FamilyName& name) {
  touched_.insert(name);
  hooks_.on_touched();
}

void ElasticPods::Forget(const store::Object& pod) {
  const auto known = by_pod_.find(pod.uid);
  if (known == by_pod_.end()) return;
  const FamilyName name = known->second;
  by_pod_.erase(known);
  families_[name].pods.erase(pod.name);
  Touch(name);
}

void ElasticPods::OnPodChange(const store::Change& change) {
  if (change.before != nullptr &&
      (change.after == nullptr || change.after->uid != change.before->uid))
    Forget(*change.before);
  // Most pods are not of elastic jobs, and need not be read.
  if (change.after == nullptr || !change.after->text().contains(api::kWorkloadSliceNameAnnotation))
    return;
  const auto pod = change.after->Decode<api::Pod>();
  if (!pod) return;
  const std::string family =
      pod->metadata.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation);
  if (family.empty()) return;
  if (jobs::IsEnded(*pod)) return Forget(*change.after);
  const FamilyName name{.namespace_ = pod->metadata.namespace_, .name = family};
  Known known{.uid = pod->metadata.uid,
              .version = pod->metadata.resource_version,
              .pod_set = pod->metadata.labels.ValueOrEmpty(api::kPodSetLabel),
              .gates = {}};
  for (const api::PodSchedulingGate& gate : pod->spec.scheduling_gates)
    known.gates.push_back(gate.name);
  by_pod_.insert_or_assign(known.uid, name);
  Known& here = families_[name].pods[pod->metadata.name];
  known.is_written = here.is_written && here.uid == known.uid;
  here = std::move(known);
  Touch(name);
}

bool ElasticPods::OnWorkload(const api::Workload& workload) {
  const api::ObjectMeta& metadata = workload.metadata;
  const std::string family = metadata.annotations.ValueOrEmpty(api::kWorkloadSliceNameAnnotation);
  if (family.empty()) return false;
  const FamilyName name{.namespace_ = metadata.namespace_, .name = family};
  families_[name].slices.insert(workload::NamespacedName(metadata));
  Touch(name);
  return true;
}

void ElasticPods::Plan() {
  for (const FamilyName& name : std::exchange(touched_, {})) PlanFamily(name);
}

const api::Workload* ElasticPods::SliceOf(Family& family) const {
  std::vector<const api::Workload*> slices;
  std::erase_if(family.slices, [&](const std::string& name) {
    const api::Workload* slice = feed_.FindWorkload(name);
    if (slice != nullptr) slices.push_back(slice);
    return slice == nullptr;
  });
  const api::Workload* holder = ChooseSlices(std::move(slices)).holder;
  const bool may_run =
      holder != nullptr && workload::IsAdmitted(*holder) && !workload::IsEvicted(*holder);
  return may_run ? holder : nullptr;
}

void ElasticPods::PlanFamily(const FamilyName& name) {
  const auto found = families_.find(name);
  if (found == families_.end()) return;
  Family& family = found->second;
  if (const api::Workload* slice = SliceOf(family)) {
    std::vector<ElasticPod> pods;
    for (const auto& [pod, known] : family.pods)
      pods.push_back({.name = pod,
                      .pod_set = known.pod_set,
                      .is_gated = !known.is_written && std::ranges::any_of(known.gates, IsGate)});
    for (const std::string& pod : PodsToLetThrough(std::move(pods), *slice))
      LetThrough(name, pod, workload::NamespacedName(slice->metadata));
  }
  if (family.pods.empty() && family.slices.empty()) families_.erase(found);
}

void ElasticPods::LetThrough(const FamilyName& family, const std::string& pod,
                             const std::string& slice) {
  Known& known = families_[family].pods[pod];
  known.is_written = true;
  json::array left;
  for (const std::string& gate : known.gates)
    if (!IsGate(gate)) left.push_back(json::object{{"name", gate}});
  const json::object patch{{"metadata", json::object{{"resourceVersion", known.version}}},
                           {"spec", json::object{{"schedulingGates", std::move(left)}}}};
  ++under_way_;
  store_.Do(store::Patch{.resource = store::ResourceOf<api::Pod>(),
                         .namespace_ = family.namespace_,
                         .name = pod,
                         .subresource = "",
                         .type = store::PatchType::kMerge,
                         .body = store::PrintJson(patch),
                         .is_forced = false,
                         .options = {}},
            executor_,
            [weak = std::weak_ptr(self_), family, pod, slice](store::Outcome<store::Reply> reply) {
              if (const auto self = weak.lock()) (*self)->OnAnswer(family, pod, slice, reply);
            });
}

void ElasticPods::OnAnswer(const FamilyName& family, const std::string& pod,
                           const std::string& slice, const store::Outcome<store::Reply>& reply) {
  --under_way_;
  if (reply) {
    if (const api::Workload* workload = feed_.FindWorkload(slice))
      hooks_.observe(PodReleased{.workload = workload,
                                 .gate = api::kElasticJobSchedulingGate,
                                 .is_of_group = false,
                                 .now = executor_.Now()});
    return;
  }
  if (!reply.error().IsConflict() && !reply.error().IsNotFound())
    hooks_.log("Pod " + workload::NamespacedName(family.namespace_, pod) +
               " could not be written: " + store::ToString(reply.error()));
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_), family, pod] {
    const auto self = weak.lock();
    if (!self) return;
    const auto found = (*self)->families_.find(family);
    if (found == (*self)->families_.end()) return;
    if (const auto known = found->second.pods.find(pod); known != found->second.pods.end())
      known->second.is_written = false;
    (*self)->Touch(family);
  });
}

}  // namespace berth::control
