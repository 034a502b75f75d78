#include "api/deployment.h"

#include "api/list_keys.h"

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
      Carried("maxUnavailable", kCarriedIntOrString, "Pods, or percent, that may be missing."),
      Carried("maxSurge", kCarriedIntOrString, "Pods, or percent, that may be too many."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("RollingUpdateDeployment", "How fast pods are replaced.", kFields);
  return kStruct;
}

const schema::Struct& StrategyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Recreate or RollingUpdate."),
      Carried("rollingUpdate", kCarriedStruct<&RollingUpdateShape>, "How fast pods are replaced."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("DeploymentStrategy", "How pods are replaced.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeploymentSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeploymentSpec::replicas>("replicas", "Pods that should run.").Default("1"),
      Member<&DeploymentSpec::selector>("selector", "Pods of the deployment.").Required(),
      Member<&DeploymentSpec::template_>("template", "The pods to run.").Required(),
      Carried("strategy", kCarriedStruct<&StrategyShape>, "How pods are replaced."),
      Carried("minReadySeconds", kCarriedInt32, "When a ready pod counts."),
      Carried("revisionHistoryLimit", kCarriedInt32, "Old ReplicaSets to keep."),
      Member<&DeploymentSpec::paused>("paused", "Whether changes wait."),
      Carried("progressDeadlineSeconds", kCarriedInt32, "When a rollout counts as stuck."),
  };
  static constexpr auto kStruct = schema::Describe<DeploymentSpec>(
      "DeploymentSpec", "What a deployment is meant to be.", kFields);
  return kStruct;
}

const schema::Struct& DeploymentStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeploymentStatus::observed_generation>("observedGeneration",
                                                     "Generation that the controller has seen."),
      Member<&DeploymentStatus::replicas>("replicas", "Pods there are."),
      Member<&DeploymentStatus::updated_replicas>("updatedReplicas",
                                                  "Pods of the newest template."),
      Member<&DeploymentStatus::ready_replicas>("readyReplicas", "Pods that are ready."),
      Member<&DeploymentStatus::available_replicas>("availableReplicas",
                                                    "Pods that have been ready for long enough."),
      Member<&DeploymentStatus::unavailable_replicas>("unavailableReplicas",
                                                      "Pods that are missing."),
      Member<&DeploymentStatus::terminating_replicas>("terminatingReplicas",
                                                      "Pods that are being deleted."),
      Member<&DeploymentStatus::conditions>("conditions", "Available, Progressing and the like.")
          .MapBy(kByType)
          .PatchBy("type"),
      Carried("collisionCount", kCarriedInt32, "Clashes of names so far."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeploymentStatus>("DeploymentStatus", "What a deployment is.", kFields);
  return kStruct;
}

const schema::Struct& Deployment::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Deployment::metadata>("metadata", "Name, labels and the like."),
      Member<&Deployment::spec>("spec", "What it is meant to be."),
      Member<&Deployment::status>("status", "What it is."),
  };
  static constexpr auto kStruct =
      schema::Describe<Deployment>("Deployment", "Replaceable pods, always so many.", kFields);
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
