#include "workload/topology/reduced_objects.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "workload/convert/convert_topology.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/pod_requests.h"

namespace berth::workload {
namespace {

constexpr std::string_view kOwnerAnnotations[] = {api::kWorkloadAnnotation,
                                                  api::kWorkloadSliceNameAnnotation};

std::string_view AnnotationOf(const api::ObjectMeta& metadata, std::string_view name) {
  const std::string* value = metadata.annotations.Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
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

api::Pod ReducedPod(const api::Pod& pod) {
  api::Pod reduced;
  reduced.metadata.name = pod.metadata.name;
  reduced.metadata.namespace_ = pod.metadata.namespace_;
  if (!OccupiesNode(pod)) return reduced;
  for (const std::string_view name : kOwnerAnnotations)
    if (const std::string* value = pod.metadata.annotations.Find(name))
      reduced.metadata.annotations.Set(name, *value);
  reduced.metadata.deletion_timestamp = pod.metadata.deletion_timestamp;
  reduced.spec.node_name = pod.spec.node_name;
  api::Container& all = reduced.spec.containers.emplace_back();
  all.resources.requests = PodRequests(pod.spec);
  return reduced;
}

std::string WorkloadKey(const api::Pod& pod) {
  const std::string_view slice = AnnotationOf(pod.metadata, api::kWorkloadSliceNameAnnotation);
  const std::string_view name =
      slice.empty() ? AnnotationOf(pod.metadata, api::kWorkloadAnnotation) : slice;
  return name.empty() ? "" : NamespacedName(pod.metadata.namespace_, name);
}

std::string WorkloadKey(const api::Workload& workload) {
  const std::string_view slice = AnnotationOf(workload.metadata, api::kWorkloadSliceNameAnnotation);
  return NamespacedName(workload.metadata.namespace_,
                        slice.empty() ? std::string_view(workload.metadata.name) : slice);
}

}  // namespace berth::workload
