#include "control/placement/placed_pods.h"

#include <algorithm>
#include <utility>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "jobs/pods/pod_group.h"
#include "json/path.h"
#include "store/resource_version.h"
#include "workload/topology/reduced_objects.h"

namespace berth::control {

bool PlacedPod::HasGate(std::string_view gate) const {
  return std::ranges::find(gates, gate) != gates.end();
}

bool PlacedPod::IsGated() const { return HasGate(api::kTopologySchedulingGate); }

std::string_view PlacedPod::PinnedNode() const {
  const std::string* host = node_selector.Find(api::kHostnameLabel);
  return host == nullptr || IsGated() ? std::string_view() : *host;
}

bool IsPlaced(const api::ObjectMeta& pod) {
  return pod.labels.Contains(api::kPodSetLabel) && !workload::OwnerNameOfPod(pod).empty() &&
         workload::HasTopologyMark(pod);
}

store::ObjectName PodOwnerName(const api::Workload& workload) {
  return {.namespace_ = workload.metadata.namespace_,
          .name = std::string(workload::PodOwnerNameOf(workload))};
}

std::set<store::ObjectName> PlacedPods::OnPodChange(const store::Change& change) {
  std::set<store::ObjectName> changed;
  const bool is_gone = change.after == nullptr ||
                       (change.before != nullptr && change.after->uid != change.before->uid);
  if (is_gone) {
    const auto known = workloads_.find(change.before->key());
    if (known != workloads_.end()) changed.insert(known->second);
    Erase(change.before->key());
  }
  if (change.after != nullptr) changed.merge(Upsert(*change.after));
  return changed;
}

void PlacedPods::OnWritten(const store::Object& pod) {
  const std::set<store::ObjectName> changed = Upsert(pod);
  if (!changed.empty()) on_answer_(changed);
}

std::set<store::ObjectName> PlacedPods::Upsert(const store::Object& object) {
  const store::ObjectName name = object.key();
  const PlacedPod* known = Find(name);
  if (known != nullptr && known->uid == object.uid &&
      !store::IsOlderVersion(known->version, object.resource_version))
    return {};
  std::set<store::ObjectName> changed;
  if (known != nullptr) changed.insert(known->workload);
  std::optional<PlacedPod> pod = Read(object);
  if (pod) changed.insert(pod->workload);
  Erase(name);
  if (pod) Insert(name, *std::move(pod));
  return changed;
}

std::optional<PlacedPod> PlacedPods::Read(const store::Object& object) const {
  // Most pods were not, and need not be decoded.
  if (!object.text().contains(api::kPodSetLabel)) return std::nullopt;
  const auto pod = object.Decode<api::Pod>();
  if (!pod || !IsPlaced(pod->metadata) || jobs::IsEnded(*pod)) return std::nullopt;
  const api::ObjectMeta& metadata = pod->metadata;
  PlacedPod placed{
      .uid = metadata.uid,
      .version = metadata.resource_version,
      .workload = {.namespace_ = metadata.namespace_,
                   .name = std::string(workload::OwnerNameOfPod(metadata))},
      .pod_set = metadata.labels.ValueOrEmpty(api::kPodSetLabel),
      .node = pod->spec.node_name,
      .phase = pod->status.phase,
      .node_selector = pod->spec.node_selector,
      .index_offset = metadata.annotations.ValueOrEmpty(api::kPodIndexOffsetAnnotation),
      .is_of_group = !jobs::PodGroupName(metadata, reads_annotations_).empty(),
      .is_terminating = metadata.deletion_timestamp.has_value()};
  for (const api::PodSchedulingGate& gate : pod->spec.scheduling_gates)
    placed.gates.push_back(gate.name);
  for (const auto& [label, value] : metadata.labels)
    if (const auto number = json::IntOf(value); number && *number >= 0)
      placed.indices.Set(label, *number);
  return placed;
}

void PlacedPods::Insert(const store::ObjectName& name, PlacedPod pod) {
  workloads_[name] = pod.workload;
  pods_[pod.workload].insert_or_assign(name.name, std::move(pod));
}

void PlacedPods::Erase(const store::ObjectName& name) {
  const auto workload = workloads_.find(name);
  if (workload == workloads_.end()) return;
  const auto pods = pods_.find(workload->second);
  const auto pod = pods->second.find(name.name);
  pods->second.erase(pod);
  if (pods->second.empty()) pods_.erase(pods);
  workloads_.erase(workload);
}

const PlacedPod* PlacedPods::Find(const store::ObjectName& pod) const {
  const auto workload = workloads_.find(pod);
  return workload == workloads_.end() ? nullptr : &pods_.at(workload->second).at(pod.name);
}

const PlacedPods::Pods& PlacedPods::Of(const store::ObjectName& workload) const {
  static const Pods kNone;
  const auto pods = pods_.find(workload);
  return pods == pods_.end() ? kNone : pods->second;
}

}  // namespace berth::control
