#include "api/stateful_set.h"

#include "api/list_keys.h"
#include "api/volume_shapes.h"

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
      Carried("partition", kCarriedInt32, "Only pods from this number on are replaced."),
      Carried("maxUnavailable", kCarriedIntOrString, "Pods, or percent, that may be missing."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "RollingUpdateStatefulSetStrategy", "How pods are replaced one after the other.", kFields);
  return kStruct;
}

const schema::Struct& UpdateStrategyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "RollingUpdate or OnDelete."),
      Carried("rollingUpdate", kCarriedStruct<&PartitionedUpdateShape>,
              "How pods are replaced one after the other."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("StatefulSetUpdateStrategy", "How pods are replaced.", kFields);
  return kStruct;
}

const schema::Struct& RetentionPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("whenDeleted", kCarriedString, "Retain or Delete, when the set goes."),
      Carried("whenScaled", kCarriedString, "Retain or Delete, when the set shrinks."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "StatefulSetPersistentVolumeClaimRetentionPolicy", "What becomes of the claims.", kFields);
  return kStruct;
}

const schema::Struct& OrdinalsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("start", kCarriedInt32, "Number of the first.").Required(),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("StatefulSetOrdinals", "How pods are numbered.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& StatefulSetSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSetSpec::replicas>("replicas", "Pods that should run.").Default("1"),
      Member<&StatefulSetSpec::selector>("selector", "Pods of the set.").Required(),
      Member<&StatefulSetSpec::template_>("template", "The pods to run.").Required(),
      Carried("volumeClaimTemplates", kCarriedStructs<&PersistentVolumeClaimShape>,
              "Claims that each pod gets."),
      Member<&StatefulSetSpec::service_name>("serviceName", "Service that names the pods."),
      Member<&StatefulSetSpec::pod_management_policy>("podManagementPolicy",
                                                      "OrderedReady or Parallel."),
      Carried("updateStrategy", kCarriedStruct<&UpdateStrategyShape>, "How pods are replaced."),
      Carried("revisionHistoryLimit", kCarriedInt32, "Old revisions to keep."),
      Carried("minReadySeconds", kCarriedInt32, "When a ready pod counts."),
      Carried("persistentVolumeClaimRetentionPolicy", kCarriedStruct<&RetentionPolicyShape>,
              "What becomes of the claims."),
      Carried("ordinals", kCarriedStruct<&OrdinalsShape>, "How pods are numbered."),
  };
  static constexpr auto kStruct = schema::Describe<StatefulSetSpec>(
      "StatefulSetSpec", "What a stateful set is meant to be.", kFields);
  return kStruct;
}

const schema::Struct& StatefulSetStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSetStatus::observed_generation>("observedGeneration",
                                                      "Generation that the controller has seen."),
      Member<&StatefulSetStatus::replicas>("replicas", "Pods there are."),
      Member<&StatefulSetStatus::ready_replicas>("readyReplicas", "Pods that are ready."),
      Member<&StatefulSetStatus::current_replicas>("currentReplicas",
                                                   "Pods of the current revision."),
      Member<&StatefulSetStatus::updated_replicas>("updatedReplicas",
                                                   "Pods of the newest revision."),
      Member<&StatefulSetStatus::current_revision>("currentRevision",
                                                   "Revision of the current pods."),
      Member<&StatefulSetStatus::update_revision>("updateRevision", "The newest revision."),
      Carried("collisionCount", kCarriedInt32, "Clashes of names so far."),
      Member<&StatefulSetStatus::conditions>("conditions", "State of the set.")
          .MapBy(kByType)
          .PatchBy("type"),
      Member<&StatefulSetStatus::available_replicas>("availableReplicas",
                                                     "Pods that have been ready for long enough."),
  };
  static constexpr auto kStruct =
      schema::Describe<StatefulSetStatus>("StatefulSetStatus", "What a stateful set is.", kFields);
  return kStruct;
}

const schema::Struct& StatefulSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&StatefulSet::metadata>("metadata", "Name, labels and the like."),
      Member<&StatefulSet::spec>("spec", "What it is meant to be."),
      Member<&StatefulSet::status>("status", "What it is."),
  };
  static constexpr auto kStruct = schema::Describe<StatefulSet>(
      "StatefulSet", "Pods with names and storage of their own.", kFields);
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
