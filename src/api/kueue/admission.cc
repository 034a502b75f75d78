#include "api/kueue/admission.h"

#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;

const schema::Struct& PodSetAssignment::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetAssignment::name>("name", "name is the name of the pod set.")
          .MaxLength(63)
          .Matches(kDnsLabelPattern)
          .Default("\"main\""),
      Member<&PodSetAssignment::flavors>("flavors",
                                         "flavors maps each resource to its assigned flavor.")
          .Items(kObjectNameBounds),
      Member<&PodSetAssignment::resource_usage>("resourceUsage",
                                                "resourceUsage is the quota charged for all pods "
                                                "together. It does not shrink as pods finish."),
      Member<&PodSetAssignment::count>("count", "count is the number of admitted pods.").Min(0),
      Member<&PodSetAssignment::topology_assignment>(
          "topologyAssignment",
          "topologyAssignment lists the topology domains assigned to the pods."),
      Member<&PodSetAssignment::delayed_topology_request>(
          "delayedTopologyRequest",
          "delayedTopologyRequest is Pending until topology is assigned after the admission "
          "checks.")
          .MaxLength(7)
          .OneOf(kDelayedTopologyRequestStates),
  };
  static constexpr auto kStruct = schema::Describe<PodSetAssignment>(
      "PodSetAssignment", "PodSetAssignment is the quota and placement assigned to a pod set.",
      kFields);
  return kStruct;
}

const schema::Struct& Admission::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Admission::cluster_queue>(
          "clusterQueue", "clusterQueue is the name of the ClusterQueue whose quota is reserved.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&Admission::pod_set_assignments>(
          "podSetAssignments", "podSetAssignments holds the assignment of each pod set.")
          .MaxItems(18)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<Admission>(
      "Admission", "Admission is the quota reserved for a Workload.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodSetAssignment>;
