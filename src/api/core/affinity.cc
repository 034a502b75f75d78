#include "api/core/affinity.h"

#include "api/meta/meta.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& PreferredSchedulingTerm::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreferredSchedulingTerm::weight>("weight", "Weight of the preference, from 1 to 100.")
          .Required(),
      Member<&PreferredSchedulingTerm::preference>("preference", "Preferred nodes.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<PreferredSchedulingTerm>(
      "PreferredSchedulingTerm", "PreferredSchedulingTerm is a weighted preference for nodes.",
      kFields);
  return kStruct;
}

const schema::Struct& NodeAffinity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeAffinity::required_during_scheduling_ignored_during_execution>(
          "requiredDuringSchedulingIgnoredDuringExecution",
          "Nodes on which the pod may be scheduled. Running pods are not affected."),
      Member<&NodeAffinity::preferred_during_scheduling_ignored_during_execution>(
          "preferredDuringSchedulingIgnoredDuringExecution", "Preferred nodes."),
  };
  static constexpr auto kStruct = schema::Describe<NodeAffinity>(
      "NodeAffinity", "NodeAffinity constrains the nodes of a pod.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& PodAffinityTermShape() {
  static constexpr schema::Field kFields[] = {
      Carried("labelSelector", schema::kCarriedStruct<&LabelSelector::Description>,
              "Label selector of the other pods."),
      Carried("namespaces", schema::kCarriedStrings, "Namespaces of the other pods."),
      Carried("topologyKey", schema::kCarriedString, "Node label whose values are the domains.")
          .Required(),
      Carried("namespaceSelector", schema::kCarriedStruct<&LabelSelector::Description>,
              "Label selector of the namespaces of the other pods."),
      Carried("matchLabelKeys", schema::kCarriedStrings,
              "Label keys whose values must equal those of the new pod."),
      Carried("mismatchLabelKeys", schema::kCarriedStrings,
              "Label keys whose values must differ from those of the new pod."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodAffinityTerm", "PodAffinityTerm selects pods to be close to or away from.", kFields);
  return kStruct;
}

const schema::Struct& WeightedPodAffinityTermShape() {
  static constexpr schema::Field kFields[] = {
      Carried("weight", schema::kCarriedInt32, "Weight of the preference, from 1 to 100.")
          .Required(),
      Carried("podAffinityTerm", schema::kCarriedStruct<&PodAffinityTermShape>,
              "Pods that the preference is about.")
          .Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "WeightedPodAffinityTerm",
      "WeightedPodAffinityTerm is a weighted preference about other pods.", kFields);
  return kStruct;
}

const schema::Struct& PodAffinityShape() {
  static constexpr schema::Field kFields[] = {
      Carried("requiredDuringSchedulingIgnoredDuringExecution",
              schema::kCarriedStructs<&PodAffinityTermShape>, "Terms required at scheduling time."),
      Carried("preferredDuringSchedulingIgnoredDuringExecution",
              schema::kCarriedStructs<&WeightedPodAffinityTermShape>,
              "Terms preferred at scheduling time."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "PodAffinity", "PodAffinity constrains placement relative to other pods.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& Affinity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Affinity::node_affinity>("nodeAffinity", "Node affinity of the pod."),
      Carried("podAffinity", schema::kCarriedStruct<&PodAffinityShape>, "Pods to be close to."),
      Carried("podAntiAffinity", schema::kCarriedStruct<&PodAffinityShape>,
              "Pods to be away from."),
  };
  static constexpr auto kStruct = schema::Describe<Affinity>(
      "Affinity", "Affinity holds the scheduling constraints of a pod.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::PreferredSchedulingTerm>;
