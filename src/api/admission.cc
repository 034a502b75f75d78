#include "api/admission.h"

#include "api/list_keys.h"
#include "api/names.h"

namespace berth::api {

using schema::Member;

const schema::Struct& PodSetAssignment::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetAssignment::name>("name", "Name of the pod set.")
          .MaxLength(63)
          .Matches(kDnsLabelPattern)
          .Default("\"main\""),
      Member<&PodSetAssignment::flavors>("flavors", "Flavor of each resource.")
          .Items(kObjectNameBounds),
      Member<&PodSetAssignment::resource_usage>(
          "resourceUsage", "What all pods together were charged for; it stays while they finish."),
      Member<&PodSetAssignment::count>("count", "Number of pods that were admitted.").Min(0),
      Member<&PodSetAssignment::topology_assignment>("topologyAssignment",
                                                     "Where in the topology the pods run."),
      Member<&PodSetAssignment::delayed_topology_request>(
          "delayedTopologyRequest", "Whether the places are still to be chosen, after the checks.")
          .MaxLength(7)
          .OneOf(kDelayedTopologyRequestStates),
  };
  static constexpr auto kStruct = schema::Describe<PodSetAssignment>(
      "PodSetAssignment", "What one pod set was given.", kFields);
  return kStruct;
}

const schema::Struct& Admission::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Admission::cluster_queue>("clusterQueue", "ClusterQueue that gave the quota.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&Admission::pod_set_assignments>("podSetAssignments", "What each pod set was given.")
          .MaxItems(18)
          .MapBy(kByName),
  };
  static constexpr auto kStruct =
      schema::Describe<Admission>("Admission", "What the workload was given.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodSetAssignment>;
