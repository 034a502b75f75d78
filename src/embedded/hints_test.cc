// What kubectl shows on a write: refusals and warnings say what to write instead, as `berth lint`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/testing/live_cluster.h"
#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using testing::Answer;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::LiveCluster;
using ::testing::Not;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kConstraints = "featureGates: {WorkloadAdmissionConstraints: true}\n";

std::string QueueOf(std::string_view resource, std::string_view spec = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team}\nspec:\n"
         "  resourceGroups:\n  - coveredResources: [gpus]\n    flavors: [{name: f, resources: [{" +
         std::string(resource) + "}]}]\n" + std::string(spec);
}

TEST(Hints, OfARefusalNameTheAllowedValues) {
  LiveCluster cluster = StartCluster(kConstraints);
  cluster.Apply(Team("team", 4));
  const Answer answer =
      cluster.TryApply(Job({.name = "a", .annotations = "kueue.x-k8s.io/cannot-borrow: 'yes'"}));
  EXPECT_THAT(answer.refusal, HasSubstr("(write \"true\" or \"false\")"));
}

TEST(Hints, OfAWarningNameTheGateToTurnOn) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  EXPECT_THAT(
      cluster.TryApply(Job({.name = "a", .annotations = "kueue.x-k8s.io/cannot-borrow: 'true'"}))
          .warnings,
      ElementsAre(HasSubstr("(turn on the feature gate WorkloadAdmissionConstraints)")));
  EXPECT_THAT(cluster
                  .TryApply(QueueOf("name: gpus, nominalQuota: 1",
                                    "  excludeResourcePrefixes: [example.com]\n"))
                  .warnings,
              ElementsAre(HasSubstr("(turn on the feature gate ClusterQueueResourceExclusion)")));
  EXPECT_THAT(
      cluster
          .TryApply("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: c}\n"
                    "spec: {resourceGroups: [{coveredResources: [gpus], flavors: [{name: f, "
                    "resources: [{name: gpus, nominalQuota: 1, kind: DeviceClass, "
                    "deviceClassNames: [a]}]}]}]}\n")
          .warnings,
      ElementsAre(HasSubstr("(turn on the feature gate KueueDynamicResourceAllocation)")));
}

TEST(Hints, NameTheGateForEveryValueThatItWouldReject) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  const auto warnings = [&](std::string_view name, std::string_view value) {
    const std::string annotation = "kueue.x-k8s.io/cannot-borrow: '" + std::string(value) + "'";
    return cluster.TryApply(Job({.name = name, .annotations = annotation})).warnings;
  };
  EXPECT_THAT(warnings("a", "maybe"), ElementsAre(HasSubstr("WorkloadAdmissionConstraints")));
  EXPECT_THAT(warnings("b", "false"), IsEmpty());
}

TEST(Hints, CorrectMisspeltAndMisplacedConstraints) {
  LiveCluster cluster = StartCluster(kConstraints);
  cluster.Apply(Team("team", 4));
  const Answer answer = cluster.TryApply(Job({.name = "a",
                                              .annotations = "kueue.x-k8s.io/cannot-preemt: 'true'",
                                              .labels = "kueue.x-k8s.io/cannot-borrow: 'true'"}));
  EXPECT_EQ(answer.refusal, "");
  EXPECT_THAT(answer.warnings,
              ElementsAre(HasSubstr("(write kueue.x-k8s.io/cannot-preempt)"),
                          HasSubstr("(write the annotation kueue.x-k8s.io/cannot-borrow)")));
}

std::vector<std::string> WarningsOfNameless(std::string_view configuration) {
  LiveCluster cluster = StartCluster(configuration);
  cluster.Apply(Team("team", 4));
  return cluster.TryApply(Job({.name = "nameless", .queue = ""})).warnings;
}

TEST(Hints, SayThatAJobWithoutAQueueNameIsHeldBack) {
  EXPECT_THAT(WarningsOfNameless("manageJobsWithoutQueueName: true\n"),
              ElementsAre(HasSubstr("not admitted until label kueue.x-k8s.io/queue-name")));
  EXPECT_THAT(WarningsOfNameless(""), IsEmpty());
}

TEST(Hints, AreNotRepeatedOnLaterUpdates) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "a", .annotations = "kueue.x-k8s.io/cannot-borrow: 'true'"}));
  EXPECT_THAT(cluster.TryPatch("Job team/a", R"({"metadata":{"annotations":{"a":"b"}}})").warnings,
              IsEmpty());
}

TEST(Hints, SayThatOnlyDeclaredMakesPrefixesVoidAndNothingElse) {
  LiveCluster cluster = StartCluster(
      "featureGates: {QuotaCheck: true, ClusterQueueResourceExclusion: true}\n"
      "resources: {quotaCheck: OnlyDeclared, excludeResourcePrefixes: [nvidia.com]}\n");
  EXPECT_THAT(cluster
                  .TryApply(QueueOf("name: gpus, nominalQuota: 1",
                                    "  excludeResourcePrefixes: [nvidia.com, cpu]\n"))
                  .warnings,
              ElementsAre(AllOf(HasSubstr("OnlyDeclared"), Not(HasSubstr("limited")))));
  EXPECT_THAT(cluster.log(), Not(Contains(HasSubstr("not be limited"))));
}

TEST(Hints, OfFractionsOfDevicesNameTheWholeNumbers) {
  LiveCluster cluster = StartCluster("featureGates: {KueueDynamicResourceAllocation: true}\n");
  const auto refusal = [&](std::string_view quota) {
    return cluster
        .TryApply(
            QueueOf("name: gpus, kind: DeviceClass, deviceClassNames: [a.com], nominalQuota: " +
                    std::string(quota)))
        .refusal;
  };
  EXPECT_THAT(refusal("500m"), HasSubstr("(write 0 or 1;"));
  EXPECT_THAT(refusal("1.5"), HasSubstr("(write 1 or 2;"));
  EXPECT_EQ(refusal("2"), "");
}

}  // namespace
}  // namespace berth::embedded
