// What conditions and Events tell about preemptions and invalid pods.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "embedded/testing/live_cluster.h"
#include "embedded/testing/live_test.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

std::string MessageOf(LiveCluster& cluster, std::string_view job, std::string_view condition) {
  const auto workload = cluster.WorkloadOf(job);
  const api::Condition* found =
      workload ? api::FindCondition(workload->status.conditions, condition) : nullptr;
  return found == nullptr ? "" : found->message;
}

TEST(PreemptionMessages, NameThePreemptorItsJobTheReasonAndBothQueues) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("rich", 4, "  cohortName: company\n"));
  cluster.Apply(
      Team("team", 4, "  cohortName: company\n  preemption: {reclaimWithinCohort: Any}\n"));
  cluster.Apply(Job({.name = "big", .space = "rich", .requests = "cpu: 8"}));
  cluster.AwaitRunning("Job rich/big");
  cluster.Apply(Job({.name = "own", .requests = "cpu: 4"}));
  cluster.AwaitRunning("Job team/own");
  const auto preemptor = cluster.WorkloadOf("Job team/own");
  const std::string job_uid(json::StringAt(*cluster.Find("Job team/own"), {"metadata", "uid"}));
  const std::string expected = "Preempted by Workload team/" + preemptor->metadata.name +
                               " (InCohortReclamation): Workload UID " + preemptor->metadata.uid +
                               ", job UID " + job_uid +
                               "; preemptor path /company/team; preemptee path /company/rich";
  EXPECT_EQ(MessageOf(cluster, "Job rich/big", "Preempted"), expected);
  EXPECT_EQ(MessageOf(cluster, "Job rich/big", "Evicted"), expected);
  EXPECT_THAT(cluster.EventsAbout(cluster.WorkloadOf("Job rich/big")->metadata.name),
              Contains("Normal Preempted: " + expected +
                       "; preemptor priority 0 (base 0, boost 0); preemptee priority 0 (base 0, "
                       "boost 0)"));
  EXPECT_THAT(cluster.EventsAbout(preemptor->metadata.name),
              Contains(AllOf(HasSubstr("Normal PreemptedWorkload: Workload rich/"),
                             HasSubstr(" of ClusterQueue rich preempted: preemptor priority"))));
}

TEST(InvalidPodMessages, NameTheRequestTheLimitAndTheExcess) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 8));
  cluster.Apply(
      "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits, namespace: team}\n"
      "spec: {limits: [{type: Container, max: {cpu: 2}}]}\n");
  cluster.Apply(Job({.name = "big", .requests = "cpu: 3"}));
  cluster.AwaitPending("Job team/big", "Misconfigured");
  // The maximum is also the default limit.
  EXPECT_EQ(
      MessageOf(cluster, "Job team/big", "QuotaReserved"),
      "Pod requests exceed limits: spec.podSets[0].template.spec.containers[0]: cpu "
      "request 3 exceeds the limit of 2 by 1; Pod requests or limits violate the LimitRange of "
      "the namespace: "
      "spec.podSets[0].template.spec.containers[0]: cpu request 3 exceeds the LimitRange max "
      "of 2 by 1");
}

TEST(PodGroupMessages, NameTheMissingAnnotation) {
  LiveCluster cluster = StartCluster("integrations: {frameworks: [pod]}\n");
  cluster.Apply(Team("team", 8));
  const testing::Answer answer = cluster.TryApply(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: team, labels: "
      "{kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: g}}\n"
      "spec: {containers: [{name: c, image: i}]}\n");
  EXPECT_THAT(answer.refusal,
              HasSubstr("annotation kueue.x-k8s.io/pod-group-total-count is missing"));
}

// The message of the slice that waits for its constraints.
std::string WaitingSliceMessage(LiveCluster& cluster, std::string_view job) {
  std::string message;
  cluster.Await("a slice waits for its constraint", [&] {
    for (const api::Workload& slice : cluster.WorkloadsOf(job)) {
      const auto* quota = api::FindCondition(slice.status.conditions, "QuotaReserved");
      if (quota != nullptr && quota->reason == "AdmissionConstrained") message = quota->message;
    }
    return !message.empty();
  });
  return message;
}

TEST(ConstrainedSliceMessages, NameAmountFlavorAndQueue) {
  LiveCluster cluster = StartCluster("featureGates: {WorkloadAdmissionConstraints: true}\n");
  cluster.Apply(Team("team", 4, "  cohortName: company\n"));
  cluster.Apply(Team("rich", 8, "  cohortName: company\n"));
  cluster.Apply(Job({.name = "train",
                     .requests = "cpu: 2",
                     .annotations = "kueue.x-k8s.io/elastic-job: 'true', "
                                    "kueue.x-k8s.io/cannot-borrow: 'true'",
                     .spec = "  completions: 8\n"}));
  cluster.AwaitRunning("Job team/train");
  cluster.Patch("Job team/train", R"({"spec": {"parallelism": 3}})");
  EXPECT_THAT(WaitingSliceMessage(cluster, "Job team/train"),
              HasSubstr("borrow 2 cpu of flavor standard, above the nominal quota of ClusterQueue "
                        "team"));
}

TEST(ConstrainedSliceMessages, NameTheQuotaThatPreemptionWouldBeFor) {
  LiveCluster cluster = StartCluster("featureGates: {WorkloadAdmissionConstraints: true}\n");
  cluster.Apply(Team("team", 4, "  preemption: {withinClusterQueue: LowerPriority}\n"));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
      "value: 1000\n");
  cluster.Apply(Job({.name = "low", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/low");
  cluster.Apply(Job({.name = "train",
                     .requests = "cpu: 2",
                     .annotations = "kueue.x-k8s.io/elastic-job: 'true', "
                                    "kueue.x-k8s.io/cannot-preempt: 'true'",
                     .labels = "kueue.x-k8s.io/priority-class: high",
                     .spec = "  completions: 8\n"}));
  cluster.AwaitRunning("Job team/train");
  cluster.Patch("Job team/train", R"({"spec": {"parallelism": 2}})");
  EXPECT_THAT(WaitingSliceMessage(cluster, "Job team/train"),
              AllOf(HasSubstr("preempt 1 workload of ClusterQueue team; "),
                    HasSubstr("2 cpu short in flavor standard of ClusterQueue team")));
}

}  // namespace
}  // namespace berth::embedded
