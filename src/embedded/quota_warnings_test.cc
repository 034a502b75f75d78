// Warnings about jobs and Workloads that no quota of their queue can ever admit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/testing/live_cluster.h"
#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::JobText;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

using Lines = std::vector<std::string>;

// 8 cpu of its own, and 8 of another queue of its cohort to borrow.
void ApplyTwoTeams(LiveCluster& cluster) {
  cluster.Apply(Team("team", 8, "  cohortName: all\n"));
  cluster.Apply(Team("other", 8, "  cohortName: all\n"));
}

Lines WarningsOf(LiveCluster& cluster, const JobText& job) {
  const testing::Answer answer = cluster.TryApply(Job(job));
  EXPECT_EQ(answer.refusal, "");
  return answer.warnings;
}

TEST(QuotaWarnings, NameTheMostThatTheQueueCanOffer) {
  LiveCluster cluster = StartCluster();
  ApplyTwoTeams(cluster);
  EXPECT_THAT(WarningsOf(cluster, {.name = "borrows", .requests = "cpu: 16"}), IsEmpty());
  EXPECT_THAT(WarningsOf(cluster, {.name = "never", .requests = "cpu: 17"}),
              ElementsAre(HasSubstr("pod set main requests 17 cpu, but ClusterQueue team can offer "
                                    "at most 16 cpu (nominal 8 + borrowing 8)")));
}

TEST(QuotaWarnings, CountTheSmallestNumberOfPods) {
  LiveCluster cluster = StartCluster();
  ApplyTwoTeams(cluster);
  constexpr std::string_view kPods = R"(
apiVersion: batch/v1
kind: Job
metadata:
  name: partial
  namespace: team
  labels: {kueue.x-k8s.io/queue-name: main}
  annotations: {kueue.x-k8s.io/job-min-parallelism: "4"}
spec:
  parallelism: 100
  completions: 100
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]
)";
  EXPECT_THAT(cluster.TryApply(kPods).warnings, IsEmpty());
}

TEST(QuotaWarnings, NameResourcesWithoutQuotaUnlessOnlyDeclaredOnesCount) {
  const auto warnings = [](std::string_view configuration) {
    LiveCluster cluster = StartCluster(configuration);
    ApplyTwoTeams(cluster);
    return WarningsOf(cluster, {.name = "gpus", .requests = "cpu: 1, example.com/gpu: 2"});
  };
  EXPECT_THAT(warnings(""), ElementsAre(HasSubstr("requests 2 example.com/gpu, but no resource "
                                                  "group of ClusterQueue team covers it")));
  EXPECT_THAT(warnings("featureGates: {QuotaCheck: true}\nresources: {quotaCheck: OnlyDeclared}\n"),
              IsEmpty());
}

TEST(QuotaWarnings, AreSilentWithoutAQueueToCompareWith) {
  LiveCluster cluster = StartCluster();
  ApplyTwoTeams(cluster);
  EXPECT_THAT(WarningsOf(cluster, {.name = "lost", .queue = "none", .requests = "cpu: 99"}),
              IsEmpty());
}

TEST(QuotaWarnings, AreOnlyGivenOnCreation) {
  LiveCluster cluster = StartCluster();
  ApplyTwoTeams(cluster);
  EXPECT_THAT(WarningsOf(cluster, {.name = "never", .requests = "cpu: 17"}), ::testing::SizeIs(1));
  EXPECT_THAT(cluster.TryPatch("Job team/never", R"({"metadata":{"labels":{"a":"b"}}})").warnings,
              IsEmpty());
}

TEST(QuotaWarnings, ConcernWorkloadsToo) {
  LiveCluster cluster = StartCluster();
  ApplyTwoTeams(cluster);
  constexpr std::string_view kWorkload = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: team}
spec:
  queueName: main
  podSets:
  - name: main
    count: 3
    template:
      spec:
        restartPolicy: Never
        containers: [{name: c, image: i, resources: {requests: {cpu: 6}}}]
)";
  EXPECT_THAT(cluster.TryApply(kWorkload).warnings, ElementsAre(HasSubstr("requests 18 cpu")));
}

}  // namespace
}  // namespace berth::embedded
