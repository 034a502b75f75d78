#include "workload/topology/reduced_objects.h"

#include <algorithm>
#include <span>

#include "api/kueue/well_known.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/pod_requests.h"

namespace berth::workload {
namespace {

constexpr std::string_view kOwnerAnnotations[] = {api::kWorkloadAnnotation,
                                                  api::kWorkloadSliceNameAnnotation};
constexpr std::string_view kMarks[] = {
    api::kRequiredTopologyAnnotation, api::kPreferredTopologyAnnotation,
    api::kUnconstrainedTopologyAnnotation, api::kSliceRequiredTopologyAnnotation,
    api::kSliceTopologyConstraintsAnnotation};

std::string_view AnnotationOf(const api::ObjectMeta& metadata, std::string_view name) {
  const std::string* value = metadata.annotations.Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

void Keep(std::span<const std::string_view> annotations, const api::ObjectMeta& from,
          api::ObjectMeta& to) {
  for (const std::string_view name : annotations)
    if (const std::string* value = from.annotations.Find(name)) to.annotations.Set(name, *value);
}

}  // namespace

api::Node ReducedNode(const api::Node& node) {
  api::Node reduced;
  reduced.metadata.name = node.metadata.name;
  reduced.metadata.labels = node.metadata.labels;
  reduced.spec.unschedulable = node.spec.unschedulable;
  reduced.spec.taints = node.spec.taints;
  reduced.status.allocatable = node.status.allocatable;
  if (const api::CoreCondition* ready = FindReady(node)) {
    api::CoreCondition& kept = reduced.status.conditions.emplace_back();
    kept.type = ready->type;
    kept.status = ready->status;
    kept.last_transition_time = ready->last_transition_time;
  }
  return reduced;
}

bool HasTopologyMark(const api::ObjectMeta& pod) {
  return std::ranges::any_of(kMarks,
                             [&](std::string_view mark) { return pod.annotations.Contains(mark); });
}

api::Pod ReducedPod(const api::Pod& pod) {
  api::Pod reduced;
  reduced.metadata.name = pod.metadata.name;
  reduced.metadata.namespace_ = pod.metadata.namespace_;
  if (!OccupiesNode(pod)) return reduced;
  Keep(kOwnerAnnotations, pod.metadata, reduced.metadata);
  Keep(kMarks, pod.metadata, reduced.metadata);
  reduced.metadata.deletion_timestamp = pod.metadata.deletion_timestamp;
  reduced.spec.node_name = pod.spec.node_name;
  api::Container& all = reduced.spec.containers.emplace_back();
  all.resources.requests = PodRequests(pod.spec);
  return reduced;
}

std::string_view OwnerNameOfPod(const api::ObjectMeta& pod) {
  const std::string_view slice = AnnotationOf(pod, api::kWorkloadSliceNameAnnotation);
  return slice.empty() ? AnnotationOf(pod, api::kWorkloadAnnotation) : slice;
}

std::string_view PodOwnerNameOf(const api::Workload& workload) {
  const std::string_view slice = AnnotationOf(workload.metadata, api::kWorkloadSliceNameAnnotation);
  return slice.empty() ? std::string_view(workload.metadata.name) : slice;
}

std::string WorkloadKey(const api::Pod& pod) {
  const std::string_view name = OwnerNameOfPod(pod.metadata);
  if (name.empty() || !HasTopologyMark(pod.metadata)) return "";
  return NamespacedName(pod.metadata.namespace_, name);
}

std::string WorkloadKey(const api::Workload& workload) {
  return NamespacedName(workload.metadata.namespace_, PodOwnerNameOf(workload));
}

}  // namespace berth::workload
