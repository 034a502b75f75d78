#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/testing/lint_text.h"

namespace berth::lint {
namespace {

using testing::Documents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LintText;
using testing::OnlyMessage;

LintOptions ConstraintsOn() {
  LintOptions on;
  on.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  return on;
}

// An object of one pod template; the annotations of the object and of its pods.
std::string WithPods(std::string_view api_version, std::string_view kind, std::string_view own,
                     std::string_view pods = "") {
  return "apiVersion: " + std::string(api_version) + "\nkind: " + std::string(kind) +
         "\nmetadata: {name: train, namespace: team, annotations: {" + std::string(own) +
         "}}\nspec:\n  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: {a: b}, "
         "annotations: {" +
         std::string(pods) + "}}, spec: {containers: [{name: c, image: i}]}}";
}
std::string DeploymentWith(std::string_view own, std::string_view pods) {
  return WithPods("apps/v1", "Deployment", own, pods);
}

constexpr std::string_view kBorrow = "kueue.x-k8s.io/cannot-borrow: 'true'";
constexpr std::string_view kNoBorrow = "kueue.x-k8s.io/cannot-borrow: 'false'";

TEST(ConstraintChecks, FindMisspeltAnnotations) {
  EXPECT_THAT(OnlyMessage(WithPods("batch/v1", "Job", "kueue.x-k8s.io/cannot-preemt: 'true'"),
                          ConstraintsOn()),
              HasSubstr("(write kueue.x-k8s.io/cannot-preempt)"));
}

TEST(ConstraintChecks, FindAnnotationsOfTheirPodsOnKindsThatAreAdmittedAsAWhole) {
  EXPECT_THAT(LintText(WithPods("batch/v1", "Job", "", kBorrow), ConstraintsOn()),
              ElementsAre("6 warning no-effect "
                          "spec.template.metadata.annotations[kueue.x-k8s.io/cannot-borrow]"));
  EXPECT_THAT(LintText(WithPods("batch/v1", "Job", kBorrow), ConstraintsOn()), IsEmpty());
}

TEST(ConstraintChecks, FindAnnotationsOfKindsThatAreNotQueued) {
  EXPECT_THAT(OnlyMessage("apiVersion: v1\nkind: Namespace\nmetadata: {name: a, annotations: {" +
                              std::string(kBorrow) + "}}",
                          ConstraintsOn()),
              HasSubstr("a Namespace is not queued"));
}

TEST(ConstraintChecks, FindAnnotationsThatTheJobsOfACronJobDoNotInherit) {
  const std::string cron =
      "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: team, annotations: {" +
      std::string(kBorrow) +
      "}}\nspec: {schedule: '@daily', jobTemplate: {spec: {template: {spec: {restartPolicy: "
      "Never, containers: [{name: c, image: i}]}}}}}";
  EXPECT_THAT(OnlyMessage(cron, ConstraintsOn()),
              HasSubstr("move it to spec.jobTemplate.metadata.annotations"));
}

TEST(ConstraintChecks, CountObjectAndPodsOfServingKinds) {
  EXPECT_THAT(LintText(DeploymentWith(kBorrow, ""), ConstraintsOn()), IsEmpty());
  EXPECT_THAT(LintText(DeploymentWith("", kBorrow), ConstraintsOn()), IsEmpty());
  EXPECT_THAT(LintText(DeploymentWith(kBorrow, kBorrow), ConstraintsOn()), IsEmpty());
  EXPECT_THAT(OnlyMessage(DeploymentWith(kBorrow, kNoBorrow), ConstraintsOn()),
              HasSubstr("is \"false\" on the pods and \"true\" on the Deployment"));
}

TEST(ConstraintChecks, FindAnnotationsOfJobsThatTheConfigurationDoesNotManage) {
  constexpr std::string_view kConfiguration =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "featureGates: {WorkloadAdmissionConstraints: true}";
  EXPECT_THAT(OnlyMessage(Documents(kConfiguration, WithPods("batch/v1", "Job", kBorrow))),
              HasSubstr("annotation has no effect: the job is not managed"));
}

}  // namespace
}  // namespace berth::lint
