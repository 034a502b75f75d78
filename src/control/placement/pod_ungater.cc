#include "control/placement/pod_ungater.h"

#include <utility>
#include <vector>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "control/reconcile/slices.h"
#include "json/json.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

ObjectKey KeyOf(const store::ObjectName& pod) {
  return ObjectKey::Of(store::ResourceOf<api::Pod>(), pod.namespace_, pod.name);
}

store::ObjectName NameOf(const ObjectKey& key) {
  return {.namespace_ = key.namespace_, .name = key.name};
}

// The patch that takes the gate and pins the pod to its domain. Other gates stay.
json::object UngatingPatch(const PlacedPod& pod, const NodeLabels& domain) {
  json::array gates;
  for (const std::string& gate : pod.gates)
    if (gate != api::kTopologySchedulingGate) gates.push_back(json::object{{"name", gate}});
  json::object labels;
  for (const auto& [key, value] : domain) labels[json::BoostView(key)] = value;
  json::object spec{{"nodeSelector", std::move(labels)}};
  spec["schedulingGates"] = gates.empty() ? json::value(nullptr) : json::value(std::move(gates));
  return {{"metadata", json::object{{"resourceVersion", pod.version}}}, {"spec", std::move(spec)}};
}

}  // namespace

PodUngater::PodUngater(store::Store& store, store::Executor& executor,
                       const workload::ClusterState& cluster, PlacedPods& pods,
                       EventRecorder& events, Hooks hooks)
    : executor_(executor),
      cluster_(cluster),
      pods_(pods),
      hooks_(std::move(hooks)),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.log("Pod " + NameOf(key).ToString() +
                           " stays gated: " + store::ToString(failure));
              }) {}

PodUngater::~PodUngater() = default;

ObjectWriter::Cache PodUngater::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const PlacedPod* pod = pods_.Find(NameOf(key));
            if (pod == nullptr) return std::nullopt;
            return pod->version;
          },
          .upsert = [this](const ObjectKey&, const store::Object& pod) { pods_.OnWritten(pod); }};
}

void PodUngater::Enqueue(const store::ObjectName& owner) {
  queued_.insert(owner);
  hooks_.on_enqueued();
}

void PodUngater::OnPodChange(const store::ObjectName& pod,
                             const std::set<store::ObjectName>& workloads) {
  if (workloads.empty()) return;
  writer_.OnWatchEvent(KeyOf(pod));
  OnPodsOf(workloads);
}

void PodUngater::OnPodsOf(const std::set<store::ObjectName>& owners) {
  for (const store::ObjectName& owner : owners)
    if (placed_.contains(owner)) Enqueue(owner);
}

bool PodUngater::OnWorkload(const api::Workload& workload) {
  const store::ObjectName owner = PodOwnerName(workload);
  const bool is_placed = workload::HasPlacement(workload);
  if (is_placed) placed_[owner].insert(workload::NamespacedName(workload.metadata));
  if (placed_.contains(owner)) Enqueue(owner);
  return is_placed;
}

void PodUngater::OnWorkloadDeleted(const api::Workload& workload) {
  const store::ObjectName owner = PodOwnerName(workload);
  const auto known = placed_.find(owner);
  if (known == placed_.end()) return;
  known->second.erase(workload::NamespacedName(workload.metadata));
  if (!known->second.empty()) return;
  placed_.erase(known);
  queued_.erase(owner);
}

void PodUngater::Plan() {
  for (const store::ObjectName& owner : std::exchange(queued_, {})) PlanPodsOf(owner);
}

const api::Workload* PodUngater::WorkloadOf(const store::ObjectName& owner) {
  const auto known = placed_.find(owner);
  if (known == placed_.end()) return nullptr;
  std::vector<const api::Workload*> placed;
  std::erase_if(known->second, [&](const std::string& name) {
    const api::Workload* workload = cluster_.FindWorkload(name);
    const bool is_placed = workload != nullptr && workload::HasPlacement(*workload);
    if (is_placed) placed.push_back(workload);
    return !is_placed;
  });
  if (known->second.empty()) placed_.erase(known);
  return placed.size() == 1 ? placed.front() : ChooseSlices(std::move(placed)).holder;
}

void PodUngater::PlanPodsOf(const store::ObjectName& owner) {
  const api::Workload* workload = WorkloadOf(owner);
  if (workload == nullptr) return;
  std::vector<UngatingPod> pods;
  for (const auto& [name, pod] : pods_.Of(owner)) {
    const auto domain = in_flight_.find({.namespace_ = owner.namespace_, .name = name});
    pods.push_back({.name = name,
                    .pod = &pod,
                    .domain = domain == in_flight_.end() ? nullptr : &domain->second});
  }
  for (Ungating& ungating : PlanUngating(*workload, std::move(pods)))
    Ungate(owner, workload::NamespacedName(workload->metadata), std::move(ungating));
}

void PodUngater::Ungate(const store::ObjectName& owner, const std::string& workload,
                        Ungating ungating) {
  const store::ObjectName pod{.namespace_ = owner.namespace_, .name = ungating.pod};
  in_flight_[pod] = std::move(ungating.domain);
  ObjectWriter::Sequence sequence;
  sequence.writes.push_back(
      {.build = [this, pod] { return BuildUngate(pod); },
       .on_answer =
           [this, workload, pod](const store::Outcome<store::Reply>& outcome) {
             if (outcome) ReportUngated(workload, pod);
           }});
  sequence.on_done = [this, pod](const ObjectWriter::Result&) { in_flight_.erase(pod); };
  sequence.replan = [this, owner] { Enqueue(owner); };
  writer_.Submit(KeyOf(pod), std::move(sequence));
}

ObjectWriter::Request PodUngater::BuildUngate(const store::ObjectName& pod) const {
  const PlacedPod* known = pods_.Find(pod);
  if (known == nullptr || !known->IsGated()) return ObjectWriter::NothingToWrite{};
  return store::Patch{.resource = store::ResourceOf<api::Pod>(),
                      .namespace_ = pod.namespace_,
                      .name = pod.name,
                      .subresource = "",
                      .type = store::PatchType::kMerge,
                      .body = json::Print(UngatingPatch(*known, in_flight_.at(pod))),
                      .is_forced = false,
                      .options = {}};
}

void PodUngater::ReportUngated(const std::string& workload, const store::ObjectName& pod) const {
  const api::Workload* placed = cluster_.FindWorkload(workload);
  const PlacedPod* known = pods_.Find(pod);
  if (placed != nullptr)
    hooks_.observe(PodReleased{.workload = placed,
                               .gate = api::kTopologySchedulingGate,
                               .is_of_group = known != nullptr && known->is_of_group,
                               .now = executor_.Now()});
}

}  // namespace berth::control
