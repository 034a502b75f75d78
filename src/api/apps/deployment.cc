#include "api/apps/deployment.h"

#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedInt32;
using schema::kCarriedIntOrString;
using schema::kCarriedString;
using schema::kCarriedStruct;
using schema::Member;

namespace {

const schema::Struct& RollingUpdateShape() {
  static constexpr schema::Field kFields[] = {
      Carried("maxUnavailable", kCarriedIntOrString,
              "Maximum number or percentage of unavailable pods."),
      Carried("maxSurge", kCarriedIntOrString, "Maximum number or percentage of surplus pods."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "RollingUpdateDeployment",
      "RollingUpdateDeployment limits how many pods a rollout replaces at once.", kFields);
  return kStruct;
}

const schema::Struct& StrategyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Recreate or RollingUpdate."),
      Carried("rollingUpdate", kCarriedStruct<&RollingUpdateShape>, "Limits of a rolling update."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeploymentStrategy", "DeploymentStrategy describes how a rollout replaces pods.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeploymentSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeploymentSpec::replicas>("replicas", "Desired number of pods.").Default("1"),
      Member<&DeploymentSpec::selector>("selector", "Label selector of the pods.").Required(),
      Member<&DeploymentSpec::template_>("template", "Template of the pods.").Required(),
      Carried("strategy", kCarriedStruct<&StrategyShape>,
              "Strategy by which a rollout replaces pods."),
      Carried("minReadySeconds", kCarriedInt32,
              "Seconds for which a pod must be ready to be available."),
      Carried("revisionHistoryLimit", kCarriedInt32, "Old ReplicaSets to keep."),
      Member<&DeploymentSpec::paused>("paused", "Whether rollouts are paused."),
      Carried("progressDeadlineSeconds", kCarriedInt32,
              "Seconds after which a rollout without progress fails."),
  };
  static constexpr auto kStruct = schema::Describe<DeploymentSpec>(
      "DeploymentSpec", "DeploymentSpec is the desired state of a Deployment.", kFields);
  return kStruct;
}

const schema::Struct& DeploymentStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeploymentStatus::observed_generation>(
          "observedGeneration", "Latest generation observed by the controller."),
      Member<&DeploymentStatus::replicas>("replicas", "Current number of pods."),
      Member<&DeploymentStatus::updated_replicas>("updatedReplicas",
                                                  "Number of pods of the latest template."),
      Member<&DeploymentStatus::ready_replicas>("readyReplicas", "Number of ready pods."),
      Member<&DeploymentStatus::available_replicas>(
          "availableReplicas", "Number of pods that have been ready for at least minReadySeconds."),
      Member<&DeploymentStatus::unavailable_replicas>("unavailableReplicas",
                                                      "Number of pods still missing."),
      Member<&DeploymentStatus::terminating_replicas>("terminatingReplicas",
                                                      "Number of pods being deleted."),
      Member<&DeploymentStatus::conditions>("conditions",
                                            "Conditions such as Available and Progressing.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("collisionCount", kCarriedInt32, "Number of hash collisions."),
  };
  static constexpr auto kStruct = schema::Describe<DeploymentStatus>(
      "DeploymentStatus", "DeploymentStatus is the observed state of a Deployment.", kFields);
  return kStruct;
}

const schema::Struct& Deployment::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Deployment::metadata>("metadata", "Standard object metadata."),
      Member<&Deployment::spec>("spec", "Desired state."),
      Member<&Deployment::status>("status", "Observed state."),
  };
  static constexpr auto kStruct = schema::Describe<Deployment>(
      "Deployment", "Deployment runs a number of interchangeable pods.", kFields);
  return kStruct;
}

const schema::Kind& Deployment::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"deploy"};
  static constexpr std::string_view kCategories[] = {"all"};
  static constexpr schema::Kind kKind{
      .group = "apps",
      .version = "v1",
      .kind = "Deployment",
      .plural = "deployments",
      .is_namespaced = true,
      .structure = &Deployment::Description,
      .short_names = kShortNames,
      .categories = kCategories,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api
