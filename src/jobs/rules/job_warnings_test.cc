#include "jobs/rules/job_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Kind;
using testing::Yaml;

api::FeatureGates GateOn() {
  api::FeatureGates gates;
  gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  return gates;
}

std::vector<std::string> Warnings(std::string_view framework, const std::string& yaml,
                                  const api::FeatureGates& gates = GateOn()) {
  std::vector<std::string> texts;
  for (const schema::Problem& problem : WarningsForJob(Kind(framework), Yaml(yaml), gates))
    texts.push_back(schema::ToString(problem));
  return texts;
}

constexpr const char* kOnObject =
    "{metadata: {annotations: {kueue.x-k8s.io/cannot-borrow: 'true'}}, spec: {template: {spec: "
    "{containers: []}}}}";
constexpr const char* kOnPods =
    "{metadata: {}, spec: {template: {metadata: {annotations: {kueue.x-k8s.io/cannot-borrow: "
    "'true'}}, spec: {containers: []}}}}";

TEST(JobWarnings, NameTheGateOfConstraintsThatIsOff) {
  EXPECT_THAT(Warnings("batch/job", kOnObject), IsEmpty());
  EXPECT_THAT(Warnings("batch/job", kOnObject, api::FeatureGates()),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/cannot-borrow]: annotation has no "
                          "effect: its feature gate is off (turn on the feature gate "
                          "WorkloadAdmissionConstraints)"));
}

TEST(JobWarnings, SayThatConstraintsOfPodsBelongOnTheJob) {
  EXPECT_THAT(Warnings("batch/job", kOnPods),
              ElementsAre("spec.template.metadata.annotations[kueue.x-k8s.io/cannot-borrow]: "
                          "annotation has no effect: pods of a Job are not admitted individually "
                          "(move it to "
                          "metadata.annotations of the Job)"));
}

TEST(JobWarnings, LeaveConstraintsOfPodsThatAreQueuedThemselves) {
  EXPECT_THAT(Warnings("deployment", kOnPods), IsEmpty());
  EXPECT_THAT(Warnings("statefulset", kOnPods), IsEmpty());
  EXPECT_THAT(Warnings("deployment", kOnPods, api::FeatureGates()),
              ElementsAre(HasSubstr("WorkloadAdmissionConstraints")));
}

TEST(JobWarnings, CorrectMisspeltConstraintsEverywhere) {
  EXPECT_THAT(
      Warnings("deployment",
               "{metadata: {annotations: {kueue.x-k8s.io/cannot-preemt: 'true'}}, spec: {template: "
               "{metadata: {labels: {kueue.x-k8s.io/cannot-borrow: 'true'}}, spec: {containers: "
               "[]}}}}"),
      ElementsAre(HasSubstr("write kueue.x-k8s.io/cannot-preempt"),
                  HasSubstr("spec.template.metadata.labels[kueue.x-k8s.io/cannot-borrow]")));
}

}  // namespace
}  // namespace berth::jobs
