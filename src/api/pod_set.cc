#include "api/pod_set.h"

#include "api/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;

const schema::Struct& SliceTopologyConstraint::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SliceTopologyConstraint::topology>("topology", "Node label of the level.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
      Member<&SliceTopologyConstraint::size>("size", "Number of pods that stay together.")
          .Required()
          .Min(1),
  };
  static constexpr auto kStruct = schema::Describe<SliceTopologyConstraint>(
      "SliceTopologyConstraint", "Groups of pods that share a domain.", kFields);
  return kStruct;
}

const schema::Struct& PodSetTopologyRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetTopologyRequest::required>(
          "required", "Node label of the level of which all pods must share a domain.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::preferred>(
          "preferred", "Node label of the level of which all pods share a domain if possible.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::unconstrained>(
          "unconstrained", "Whether pods may run anywhere, yet only where capacity is free."),
      Member<&PodSetTopologyRequest::pod_index_label>("podIndexLabel",
                                                      "Label that numbers the pods.")
          .MaxLength(317),
      Member<&PodSetTopologyRequest::sub_group_index_label>(
          "subGroupIndexLabel", "Label that numbers the replicated jobs in the set.")
          .MaxLength(317),
      Member<&PodSetTopologyRequest::sub_group_count>("subGroupCount",
                                                      "Number of replicated jobs in the set.")
          .Min(0),
      Member<&PodSetTopologyRequest::pod_set_group_name>(
          "podSetGroupName", "Pod sets of the same group get the same flavor.")
          .MaxLength(256),
      Member<&PodSetTopologyRequest::pod_set_slice_required_topology>(
          "podSetSliceRequiredTopology", "Level of which each slice must share a domain.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::pod_set_slice_size>("podSetSliceSize",
                                                         "Number of pods in a slice.")
          .Min(1),
      Member<&PodSetTopologyRequest::podset_slice_required_topology_constraints>(
          "podsetSliceRequiredTopologyConstraints",
          "Slices within slices, the widest level first, in place of the two fields above.")
          .MaxItems(3)
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<PodSetTopologyRequest>(
      "PodSetTopologyRequest", "How close together pods must run.", kFields);
  return kStruct;
}

const schema::Struct& PodSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSet::name>("name", "Name of the set within the workload.")
          .MaxLength(63)
          .Matches(kDnsLabelPattern)
          .Default("\"main\""),
      Member<&PodSet::template_>("template", "What each pod looks like.").Required(),
      Member<&PodSet::count>("count", "Number of pods.").Min(0).Default("1"),
      Member<&PodSet::min_count>(
          "minCount", "Fewest pods that the workload can start with. Absent: all of them.")
          .Min(1),
      Member<&PodSet::topology_request>("topologyRequest", "How close together pods must run."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const PodSet& self) {
        return !self.min_count || *self.min_count <= self.count.value_or(1);
      }>("!has(self.minCount) || self.minCount <= self.count",
         "minCount must not be greater than count"),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSet>("PodSet", "A set of equal pods.", kFields, kRules);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodSet>;
template class std::vector<berth::api::SliceTopologyConstraint>;
