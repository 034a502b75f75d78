// waitForPodsReady.blockAdmission: one workload at a time until its pods are ready.

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;

constexpr std::string_view kBlockAdmission = "waitForPodsReady: {blockAdmission: true}\n";

void SetActive(LiveCluster& cluster, std::string_view job, bool is_active) {
  const auto workload = cluster.WorkloadOf(job);
  ASSERT_TRUE(workload.has_value());
  cluster.Patch("Workload team/" + workload->metadata.name,
                is_active ? R"({"spec": {"active": true}})" : R"({"spec": {"active": false}})");
}

TEST(BlockAdmission, HoldsWorkloadsBackUntilPodsOfTheAdmittedOnesAreReady) {
  LiveCluster cluster = StartCluster(kBlockAdmission);
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(Job({.name = "first"}));
  cluster.AwaitRunning("Job team/first");
  cluster.Apply(Job({.name = "second"}));
  cluster.AwaitPending("Job team/second", "WaitingForPodsReady");
  cluster.Patch("Job team/first", R"({"status": {"active": 1, "ready": 1}})", "status");
  cluster.AwaitRunning("Job team/second");
}

TEST(BlockAdmission, EquivalentWorkloadsGetThePendingReasonOfTheFirst) {
  LiveCluster cluster = StartCluster(kBlockAdmission);
  cluster.Apply(testing::Team("team", 4));
  cluster.Apply(Job({.name = "first", .requests = "cpu: 9"}));
  cluster.AwaitPending("Job team/first", "ExceedsMaxQuota");
  cluster.Apply(Job({.name = "second", .requests = "cpu: 9"}));
  cluster.AwaitIdle();
  SetActive(cluster, "Job team/second", false);
  cluster.AwaitPending("Job team/second", "Deactivated");
  SetActive(cluster, "Job team/second", true);
  cluster.AwaitPending("Job team/second", "ExceedsMaxQuota");
}

bool HasReadyPods(const api::Workload& workload) {
  return api::IsConditionTrue(workload.status.conditions, "PodsReady");
}

// Several queues, so that one cycle has several heads.
TEST(BlockAdmission, AdmitsOneWorkloadAtATimeAndTheOthersHaveTheirReason) {
  constexpr int kJobs = 9;
  LiveCluster cluster = StartCluster(kBlockAdmission);
  std::vector<std::string> jobs;
  for (const std::string team : {"one", "two", "three"}) cluster.Apply(testing::Team(team, 9));
  for (int i = 0; i < kJobs; ++i) {
    const std::string team = i % 3 == 0 ? "one" : i % 3 == 1 ? "two" : "three";
    const std::string name = "job-" + std::to_string(i);
    cluster.Apply(Job({.name = name, .space = team}));
    jobs.push_back("Job " + team + "/" + name);
  }
  std::vector<std::string> started;
  while (started.size() < kJobs) {
    std::vector<std::string> starting;
    cluster.Await("one more is admitted, and the others say why they wait", [&] {
      starting.clear();
      bool is_explained = true;
      for (const std::string& job : jobs) {
        const auto workload = cluster.WorkloadOf(job);
        if (!workload) return false;
        if (workload::IsAdmitted(*workload) && !HasReadyPods(*workload)) starting.push_back(job);
        if (!workload::IsAdmitted(*workload))
          is_explained &= cluster.PendingReason(job) == "WaitingForPodsReady";
      }
      return !starting.empty() && is_explained;
    });
    ASSERT_EQ(starting.size(), 1u);
    cluster.Patch(starting.front(), R"({"status": {"active": 1, "ready": 1}})", "status");
    cluster.Await("its pods are ready",
                  [&] { return HasReadyPods(*cluster.WorkloadOf(starting.front())); });
    started.push_back(starting.front());
  }
}

}  // namespace
}  // namespace berth::embedded
