#include "api/affinity.h"

#include "api/meta.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& PreferredSchedulingTerm::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreferredSchedulingTerm::weight>("weight", "How much it counts, from 1 to 100.")
          .Required(),
      Member<&PreferredSchedulingTerm::preference>("preference", "Nodes that are preferred.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<PreferredSchedulingTerm>(
      "PreferredSchedulingTerm", "A preference for nodes.", kFields);
  return kStruct;
}

const schema::Struct& NodeAffinity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeAffinity::required_during_scheduling_ignored_during_execution>(
          "requiredDuringSchedulingIgnoredDuringExecution",
          "Nodes that the pod may be placed on; running pods stay where they are."),
      Member<&NodeAffinity::preferred_during_scheduling_ignored_during_execution>(
          "preferredDuringSchedulingIgnoredDuringExecution",
          "Nodes that the scheduler would rather use."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeAffinity>("NodeAffinity", "Which nodes a pod wants.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& PodAffinityTermShape() {
  static constexpr schema::Field kFields[] = {
      Carried("labelSelector", schema::kCarriedStruct<&LabelSelector::Description>,
              "Pods that are looked at."),
      Carried("namespaces", schema::kCarriedStrings, "Namespaces of those pods."),
      Carried("topologyKey", schema::kCarriedString, "Node label that says what is near.")
          .Required(),
      Carried("namespaceSelector", schema::kCarriedStruct<&LabelSelector::Description>,
              "Namespaces of those pods, by label."),
      Carried("matchLabelKeys", schema::kCarriedStrings,
              "Labels whose values must equal the new pod's."),
      Carried("mismatchLabelKeys", schema::kCarriedStrings,
              "Labels whose values must differ from the new pod's."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodAffinityTerm", "Pods that a pod wants near, or far.", kFields);
  return kStruct;
}

const schema::Struct& WeightedPodAffinityTermShape() {
  static constexpr schema::Field kFields[] = {
      Carried("weight", schema::kCarriedInt32, "How much it counts, from 1 to 100.").Required(),
      Carried("podAffinityTerm", schema::kCarriedStruct<&PodAffinityTermShape>,
              "The pods in question.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("WeightedPodAffinityTerm", "A preference about pods.", kFields);
  return kStruct;
}

const schema::Struct& PodAffinityShape() {
  static constexpr schema::Field kFields[] = {
      Carried("requiredDuringSchedulingIgnoredDuringExecution",
              schema::kCarriedStructs<&PodAffinityTermShape>, "What must hold when placing."),
      Carried("preferredDuringSchedulingIgnoredDuringExecution",
              schema::kCarriedStructs<&WeightedPodAffinityTermShape>,
              "What the scheduler would rather have."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("PodAffinity", "Placement relative to other pods.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Affinity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Affinity::node_affinity>("nodeAffinity", "Which nodes a pod wants."),
      Carried("podAffinity", schema::kCarriedStruct<&PodAffinityShape>, "Pods to be near to."),
      Carried("podAntiAffinity", schema::kCarriedStruct<&PodAffinityShape>,
              "Pods to be away from."),
  };
  static constexpr auto kStruct =
      schema::Describe<Affinity>("Affinity", "Where a pod wants to run.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PreferredSchedulingTerm>;
