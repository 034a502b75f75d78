// Objects that are written to do harm: absurd numbers, forged statuses, Workloads that are refused.

#include <atomic>
#include <memory>

#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

// --- Absurd replica counts -----------------------------------------------------------------------

api::Node LargeNode() {
  api::Node node;
  node.metadata.name = "large";
  node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(100'000));
  node.status.allocatable.Set("pods", quantity::Quantity::FromInt(100'000));
  api::CoreCondition& ready = node.status.conditions.emplace_back();
  ready.type = "Ready";
  ready.status = "True";
  return node;
}

// Pods come in batches while the set exists, so another job does not wait for them.
TEST(HugeSets, GetPodsInBatchesThatStopWhenTheyAreDeleted) {
  LiveCluster cluster =
      StartCluster("", SimulationSettings{.run_time = base::Duration::Seconds(3600),
                                          .nodes = std::make_shared<const std::vector<api::Node>>(
                                              std::vector<api::Node>{LargeNode()})});
  cluster.Apply(Team("team", 4));
  cluster.Apply(
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: huge, namespace: team}\nspec:\n"
      "  replicas: 2147483647\n  podManagementPolicy: Parallel\n  serviceName: huge\n"
      "  selector: {matchLabels: {app: huge}}\n  template: {metadata: {labels: {app: huge}}, "
      "spec: {containers: [{name: c, image: example.com/c}]}}\n");
  const auto has_pod = [&](int ordinal) {
    return cluster.Find("Pod team/huge-" + std::to_string(ordinal)).has_value();
  };
  cluster.Await("the fourth batch", [&] { return has_pod(300); });
  cluster.Apply(Job({.name = "small"}));
  cluster.AwaitRunning("Job team/small");
  cluster.Delete("StatefulSet team/huge");
  cluster.AwaitIdle();
  cluster.Await("no pods", [&] { return !has_pod(0) && !has_pod(300); });
  cluster.AwaitIdle();
  EXPECT_FALSE(has_pod(0));
}

// --- Forged statuses -----------------------------------------------------------------------------

std::string ForgedWorkload(const std::string& requests) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\n"
         "metadata: {name: forged, namespace: team}\nspec:\n  queueName: main\n  active: true\n"
         "  podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, containers: "
         "[{name: c, image: example.com/c, resources: {requests: {cpu: " +
         requests + "}}}]}}}]\n";
}

std::string ForgedStatus(const std::string& cpu) {
  return R"({"status": {"conditions": [{"type": "QuotaReserved", "status": "True",
      "reason": "QuotaReserved", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
      "admission": {"clusterQueue": "team", "podSetAssignments": [{"name": "main", "count": 1,
        "flavors": {"cpu": "standard"}, "resourceUsage": {"cpu": ")" +
         cpu + R"("}}]}}})";
}

TEST(ForgedStatus, CannotUseLessThanNothing) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(ForgedWorkload("100"));
  EXPECT_THAT(cluster.TryPatch("Workload team/forged", ForgedStatus("-4"), "status").refusal,
              HasSubstr("resourceUsage[cpu]"));
}

// The queue is full while it is there, and has its whole quota afterwards.
TEST(ForgedStatus, WithAnAbsurdUsageLeavesNothingBehind) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "runs", .requests = "cpu: 3"}));
  cluster.AwaitRunning("Job team/runs");
  cluster.Apply(ForgedWorkload("100"));
  cluster.AwaitIdle();
  ASSERT_EQ(cluster.TryPatch("Workload team/forged", ForgedStatus("9e30"), "status").refusal, "");
  cluster.Apply(Job({.name = "next", .requests = "cpu: 2"}));
  cluster.AwaitPending("Job team/next", "WaitingForQuota");
  cluster.Delete("Workload team/forged");
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.IsSuspended("Job team/next")) << "3 of 4 cpus are in use";
  cluster.Delete("Job team/runs");
  cluster.AwaitRunning("Job team/next");
}

// --- Refused Workloads ---------------------------------------------------------------------------

// Denies the creation of Workloads.
class RefusedWorkloads {
 public:
  store::Taps Taps() {
    return {.deny = [this](const store::Call& call) -> std::optional<store::Failure> {
      const auto* create = std::get_if<store::Create>(&call);
      if (create == nullptr || create->resource.plural != "workloads") return std::nullopt;
      ++count_;
      return store::Forbidden(create->resource, "w", "denied by a test");
    }};
  }
  int count() const { return count_; }

 private:
  std::atomic<int> count_ = 0;
};

std::string QueuedPod(const std::string& name, const std::string& group) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", namespace: team, labels: {kueue.x-k8s.io/queue-name: main" +
         (group.empty() ? "" : ", kueue.x-k8s.io/pod-group-name: " + group) + "}, annotations: {" +
         (group.empty() ? "" : "kueue.x-k8s.io/pod-group-total-count: '1'") +
         "}}\n"
         "spec: {restartPolicy: Never, containers: [{name: c, image: example.com/c}]}\n";
}

// After 1 s, then twice as long. A log that is written faster fills the disk.
TEST(RefusedWorkload, IsTriedLessAndLessOften) {
  const std::string set =
      "\nmetadata: {name: set, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec:\n  replicas: 1\n";
  const std::string pods =
      "{metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: example.com/c}]}}\n";
  for (const auto& [kind, yaml] : std::vector<std::pair<std::string, std::string>>{
           {"Job", Job({.name = "job"})},
           {"Pod", QueuedPod("pod", "")},
           {"pod group", QueuedPod("member", "group")},
           {"StatefulSet", "apiVersion: apps/v1\nkind: StatefulSet" + set +
                               "  serviceName: a\n  selector: {matchLabels: {app: a}}\n"
                               "  template: " +
                               pods},
           {"LeaderWorkerSet", "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet" +
                                   set + "  leaderWorkerTemplate: {size: 1, workerTemplate: " +
                                   pods.substr(0, pods.size() - 1) + "}\n"}}) {
    SCOPED_TRACE(kind);
    RefusedWorkloads refused;
    LiveCluster cluster = StartCluster(
        "integrations: {frameworks: [batch/job, pod, statefulset, "
        "leaderworkerset.x-k8s.io/leaderworkerset]}\n",
        SimulationSettings{}, refused.Taps());
    cluster.Apply(Team("team", 4));
    if (kind == "LeaderWorkerSet")
      cluster.Create(testing::Definition("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
                                         "leaderworkersets"));
    cluster.Apply(yaml);
    for (int attempt = 1; attempt <= 3; ++attempt) {
      cluster.Await("the Workload is refused", [&] { return refused.count() >= attempt; });
      cluster.Pass(base::Duration::Seconds(4));
    }
    EXPECT_LE(refused.count(), 6);
    EXPECT_LE(cluster.log().size(), 10u) << ::testing::PrintToString(cluster.log());
  }
}

}  // namespace
}  // namespace berth::embedded
