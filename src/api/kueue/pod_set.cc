#include "api/kueue/pod_set.h"

#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;

const schema::Struct& SliceTopologyConstraint::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SliceTopologyConstraint::topology>("topology",
                                                 "topology is the node label of the level.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
      Member<&SliceTopologyConstraint::size>("size", "size is the number of pods in a slice.")
          .Required()
          .Min(1),
  };
  static constexpr auto kStruct = schema::Describe<SliceTopologyConstraint>(
      "SliceTopologyConstraint",
      "SliceTopologyConstraint requires slices of pods to share a domain.", kFields);
  return kStruct;
}

const schema::Struct& PodSetTopologyRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetTopologyRequest::required>(
          "required",
          "required is the node label of the level at which all pods must share a domain.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::preferred>(
          "preferred",
          "preferred is the node label of the level at which all pods share a domain if possible.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::unconstrained>(
          "unconstrained", "unconstrained allows any domain with free capacity."),
      Member<&PodSetTopologyRequest::pod_index_label>(
          "podIndexLabel", "podIndexLabel is the label with the index of the pod.")
          .MaxLength(317),
      Member<&PodSetTopologyRequest::sub_group_index_label>(
          "subGroupIndexLabel",
          "subGroupIndexLabel is the label with the index of the replicated job.")
          .MaxLength(317),
      Member<&PodSetTopologyRequest::sub_group_count>(
          "subGroupCount", "subGroupCount is the number of replicated jobs in the set.")
          .Min(0),
      Member<&PodSetTopologyRequest::pod_set_group_name>(
          "podSetGroupName",
          "podSetGroupName is the name of a group of pod sets that get the same flavor.")
          .MaxLength(256),
      Member<&PodSetTopologyRequest::pod_set_slice_required_topology>(
          "podSetSliceRequiredTopology",
          "podSetSliceRequiredTopology is the level at which the pods of a slice must share a "
          "domain.")
          .MaxLength(63),
      Member<&PodSetTopologyRequest::pod_set_slice_size>(
          "podSetSliceSize", "podSetSliceSize is the number of pods in a slice.")
          .Min(1),
      Member<&PodSetTopologyRequest::podset_slice_required_topology_constraints>(
          "podsetSliceRequiredTopologyConstraints",
          "podsetSliceRequiredTopologyConstraints defines nested slices, widest level first. "
          "Excludes the two fields above.")
          .MaxItems(3)
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<PodSetTopologyRequest>(
      "PodSetTopologyRequest", "PodSetTopologyRequest is the topology requested for a pod set.",
      kFields);
  return kStruct;
}

const schema::Struct& PodSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSet::name>("name", "name is the name of the set, unique in the Workload.")
          .MaxLength(63)
          .Matches(kDnsLabelPattern)
          .Default("\"main\""),
      Member<&PodSet::template_>("template", "template is the template of the pods.").Required(),
      Member<&PodSet::count>("count", "count is the number of pods.").Min(0).Default("1"),
      Member<&PodSet::min_count>("minCount",
                                 "minCount is the minimum number of pods for partial admission. If "
                                 "absent, all pods are required.")
          .Min(1),
      Member<&PodSet::topology_request>("topologyRequest",
                                        "topologyRequest is the topology requested for the pods."),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const PodSet& self) {
        return !self.min_count || *self.min_count <= self.count.value_or(1);
      }>("!has(self.minCount) || self.minCount <= self.count",
         "minCount must not be greater than count"),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSet>("PodSet", "PodSet is a set of identical pods.", kFields, kRules);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PodSet>;
template class std::vector<berth::api::SliceTopologyConstraint>;
