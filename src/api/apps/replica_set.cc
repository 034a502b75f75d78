#include "api/apps/replica_set.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::Member;

const schema::Struct& ReplicaSetSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSetSpec::replicas>("replicas", "Desired number of pods.").Default("1"),
      Carried("minReadySeconds", kCarriedInt32,
              "Seconds for which a pod must be ready to be available."),
      Member<&ReplicaSetSpec::selector>("selector", "Label selector of the pods.").Required(),
      Member<&ReplicaSetSpec::template_>("template", "Template of the pods."),
  };
  static constexpr auto kStruct = schema::Describe<ReplicaSetSpec>(
      "ReplicaSetSpec", "ReplicaSetSpec is the desired state of a ReplicaSet.", kFields);
  return kStruct;
}

const schema::Struct& ReplicaSetStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSetStatus::replicas>("replicas", "Current number of pods."),
      Member<&ReplicaSetStatus::fully_labeled_replicas>(
          "fullyLabeledReplicas", "Number of pods with all labels of the template."),
      Member<&ReplicaSetStatus::ready_replicas>("readyReplicas", "Number of ready pods."),
      Member<&ReplicaSetStatus::available_replicas>(
          "availableReplicas", "Number of pods that have been ready for at least minReadySeconds."),
      Member<&ReplicaSetStatus::terminating_replicas>("terminatingReplicas",
                                                      "Number of pods being deleted."),
      Member<&ReplicaSetStatus::observed_generation>(
          "observedGeneration", "Latest generation observed by the controller."),
      Member<&ReplicaSetStatus::conditions>("conditions", "Conditions such as ReplicaFailure.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct = schema::Describe<ReplicaSetStatus>(
      "ReplicaSetStatus", "ReplicaSetStatus is the observed state of a ReplicaSet.", kFields);
  return kStruct;
}

const schema::Struct& ReplicaSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSet::metadata>("metadata", "Standard object metadata."),
      Member<&ReplicaSet::spec>("spec", "Desired state."),
      Member<&ReplicaSet::status>("status", "Observed state."),
  };
  static constexpr auto kStruct = schema::Describe<ReplicaSet>(
      "ReplicaSet", "ReplicaSet runs a number of identical pods.", kFields);
  return kStruct;
}

const schema::Kind& ReplicaSet::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"rs"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "apps",
      .version = "v1",
      .kind = "ReplicaSet",
      .plural = "replicasets",
      .is_namespaced = true,
      .structure = &ReplicaSet::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
