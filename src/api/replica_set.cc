#include "api/replica_set.h"

#include "api/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::Member;

const schema::Struct& ReplicaSetSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSetSpec::replicas>("replicas", "Pods that should run.").Default("1"),
      Carried("minReadySeconds", kCarriedInt32, "When a ready pod counts."),
      Member<&ReplicaSetSpec::selector>("selector", "Pods of the set.").Required(),
      Member<&ReplicaSetSpec::template_>("template", "The pods to run."),
  };
  static constexpr auto kStruct = schema::Describe<ReplicaSetSpec>(
      "ReplicaSetSpec", "What a replica set is meant to be.", kFields);
  return kStruct;
}

const schema::Struct& ReplicaSetStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSetStatus::replicas>("replicas", "Pods there are."),
      Member<&ReplicaSetStatus::fully_labeled_replicas>("fullyLabeledReplicas",
                                                        "Pods with all labels of the template."),
      Member<&ReplicaSetStatus::ready_replicas>("readyReplicas", "Pods that are ready."),
      Member<&ReplicaSetStatus::available_replicas>("availableReplicas",
                                                    "Pods that have been ready for long enough."),
      Member<&ReplicaSetStatus::terminating_replicas>("terminatingReplicas",
                                                      "Pods that are being deleted."),
      Member<&ReplicaSetStatus::observed_generation>("observedGeneration",
                                                     "Generation that the controller has seen."),
      Member<&ReplicaSetStatus::conditions>("conditions", "ReplicaFailure and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
  };
  static constexpr auto kStruct =
      schema::Describe<ReplicaSetStatus>("ReplicaSetStatus", "What a replica set is.", kFields);
  return kStruct;
}

const schema::Struct& ReplicaSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReplicaSet::metadata>("metadata", "Name, labels and the like."),
      Member<&ReplicaSet::spec>("spec", "What it is meant to be."),
      Member<&ReplicaSet::status>("status", "What it is."),
  };
  static constexpr auto kStruct =
      schema::Describe<ReplicaSet>("ReplicaSet", "Equal pods, always so many.", kFields);
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
