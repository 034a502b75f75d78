#include "api/apps/stateful_set.h"

#include "api/core/volume_shapes.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::kCarriedIntOrString;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

namespace {

const schema::Struct& PartitionedUpdateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("partition", kCarriedInt32, "Ordinal from which on pods are updated."),
      Carried("maxUnavailable", kCarriedIntOrString,
              "Maximum number or percentage of unavailable pods."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "RollingUpdateStatefulSetStrategy",
      "RollingUpdateStatefulSetStrategy configures rolling updates.", kFields);
  return kStruct;
}

const schema::Struct& UpdateStrategyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "RollingUpdate or OnDelete."),
      Carried("rollingUpdate", kCarriedStruct<&PartitionedUpdateShape>,
              "Options of a rolling update."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "StatefulSetUpdateStrategy", "StatefulSetUpdateStrategy describes how updates replace pods.",
      kFields);
  return kStruct;
}

const schema::Struct& RetentionPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("whenDeleted", kCarriedString, "Retain or Delete, on deletion of the set."),
      Carried("whenScaled", kCarriedString, "Retain or Delete, on scale-down."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "StatefulSetPersistentVolumeClaimRetentionPolicy",
      "StatefulSetPersistentVolumeClaimRetentionPolicy decides when claims are deleted.", kFields);
  return kStruct;
}

const schema::Struct& OrdinalsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("start", kCarriedInt32, "Ordinal of the first pod.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "StatefulSetOrdinals", "StatefulSetOrdinals numbers the pods.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& StatefulSetSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSetSpec::replicas>("replicas", "Desired number of pods.").Default("1"),
      Member<&StatefulSetSpec::selector>("selector", "Label selector of the pods.").Required(),
      Member<&StatefulSetSpec::template_>("template", "Template of the pods.").Required(),
      Carried("volumeClaimTemplates", kCarriedStructs<&PersistentVolumeClaimShape>,
              "Templates of the claims of each pod."),
      Member<&StatefulSetSpec::service_name>(
          "serviceName", "Service that provides the network identity of the pods."),
      Member<&StatefulSetSpec::pod_management_policy>("podManagementPolicy",
                                                      "OrderedReady or Parallel."),
      Carried("updateStrategy", kCarriedStruct<&UpdateStrategyShape>,
              "Strategy by which updates replace pods."),
      Carried("revisionHistoryLimit", kCarriedInt32, "Old revisions to keep."),
      Carried("minReadySeconds", kCarriedInt32,
              "Seconds for which a pod must be ready to be available."),
      Carried("persistentVolumeClaimRetentionPolicy", kCarriedStruct<&RetentionPolicyShape>,
              "Retention of the claims."),
      Carried("ordinals", kCarriedStruct<&OrdinalsShape>, "Numbering of the pods."),
  };
  static constexpr auto kStruct = schema::Describe<StatefulSetSpec>(
      "StatefulSetSpec", "StatefulSetSpec is the desired state of a StatefulSet.", kFields);
  return kStruct;
}

const schema::Struct& StatefulSetStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSetStatus::observed_generation>(
          "observedGeneration", "Latest generation observed by the controller."),
      Member<&StatefulSetStatus::replicas>("replicas", "Current number of pods."),
      Member<&StatefulSetStatus::ready_replicas>("readyReplicas", "Number of ready pods."),
      Member<&StatefulSetStatus::current_replicas>("currentReplicas",
                                                   "Number of pods of the current revision."),
      Member<&StatefulSetStatus::updated_replicas>("updatedReplicas",
                                                   "Number of pods of the update revision."),
      Member<&StatefulSetStatus::current_revision>("currentRevision",
                                                   "Revision of the current pods."),
      Member<&StatefulSetStatus::update_revision>("updateRevision", "Latest revision."),
      Carried("collisionCount", kCarriedInt32, "Number of hash collisions."),
      Member<&StatefulSetStatus::conditions>("conditions", "Conditions of the StatefulSet.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&StatefulSetStatus::available_replicas>(
          "availableReplicas", "Number of pods that have been ready for at least minReadySeconds."),
  };
  static constexpr auto kStruct = schema::Describe<StatefulSetStatus>(
      "StatefulSetStatus", "StatefulSetStatus is the observed state of a StatefulSet.", kFields);
  return kStruct;
}

const schema::Struct& StatefulSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSet::metadata>("metadata", "Standard object metadata."),
      Member<&StatefulSet::spec>("spec", "Desired state."),
      Member<&StatefulSet::status>("status", "Observed state."),
  };
  static constexpr auto kStruct = schema::Describe<StatefulSet>(
      "StatefulSet", "StatefulSet runs pods with stable names and storage.", kFields);
  return kStruct;
}

const schema::Kind& StatefulSet::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"sts"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "apps",
      .version = "v1",
      .kind = "StatefulSet",
      .plural = "statefulsets",
      .is_namespaced = true,
      .structure = &StatefulSet::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
