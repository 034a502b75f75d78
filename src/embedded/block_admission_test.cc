// waitForPodsReady.blockAdmission: one workload at a time until its pods are ready.

#include "api/meta/conditions.h"
#include "embedded/testing/barrier.h"
#include "embedded/testing/live_test.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::Barrier;
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

// --- Orders of events ----------------------------------------------------------------------------

constexpr std::string_view kFirst = "Job one/first";

// Teams with a queue each, so that a job does not wait for the head of its queue.
void ApplyTeams(LiveCluster& cluster) {
  for (const std::string team : {"one", "two"}) cluster.Apply(testing::Team(team, 9));
}

Barrier::Filter PatchesOfFirst(std::string_view text) {
  return testing::PatchesOf(store::ResourceOf<api::Workload>(), "job-first-", std::string(text));
}

void AwaitHeld(LiveCluster& cluster, const Barrier& barrier) {
  cluster.Await("a call is held back", [&] { return barrier.held() > 0; });
}

// Submits another job, which must wait for the pods of the first.
void ExpectBlocked(LiveCluster& cluster, const std::string& name) {
  cluster.Apply(Job({.name = name, .space = "two"}));
  cluster.AwaitPending("Job two/" + name, "WaitingForPodsReady");
}

size_t CountAdmitted(LiveCluster& cluster, const std::vector<std::string>& jobs) {
  return static_cast<size_t>(std::ranges::count_if(jobs, [&](const std::string& job) {
    const auto workload = cluster.WorkloadOf(job);
    return workload && workload::IsAdmitted(*workload);
  }));
}

TEST(BlockAdmission, HoldsWhileAReservationIsBeingWritten) {
  Barrier barrier;
  LiveCluster cluster = StartCluster(kBlockAdmission, {}, barrier.Taps());
  ApplyTeams(cluster);
  barrier.HoldCalls(PatchesOfFirst(R"("admission":{)"));
  cluster.Apply(Job({.name = "first", .space = "one"}));
  AwaitHeld(cluster, barrier);
  ExpectBlocked(cluster, "second");
  barrier.Open();
  cluster.AwaitRunning(kFirst);
  cluster.AwaitIdle();
  EXPECT_EQ(CountAdmitted(cluster, {"Job two/second"}), 0u);
}

TEST(BlockAdmission, HoldsWhileWatchEventsAreLate) {
  Barrier barrier;
  LiveCluster cluster = StartCluster(kBlockAdmission, {}, barrier.Taps());
  ApplyTeams(cluster);
  barrier.HoldEvents(store::ResourceOf<api::Workload>());
  cluster.Apply(Job({.name = "first", .space = "one"}));
  cluster.AwaitRunning(kFirst);
  ExpectBlocked(cluster, "second");
  AwaitHeld(cluster, barrier);
  for (int i = 0; barrier.held() > 0; ++i) {
    barrier.LetOnePass();
    cluster.AwaitIdle();
    ASSERT_EQ(CountAdmitted(cluster, {"Job two/second"}), 0u) << "after event " << i;
  }
}

TEST(BlockAdmission, HoldsUntilAnEvictionIsWrittenAsAWhole) {
  Barrier barrier;
  LiveCluster cluster = StartCluster(kBlockAdmission, {}, barrier.Taps());
  ApplyTeams(cluster);
  cluster.Apply(Job({.name = "first", .space = "one"}));
  cluster.AwaitRunning(kFirst);
  barrier.HoldCalls(PatchesOfFirst(R"("Evicted")"));
  cluster.Patch("ClusterQueue one", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  AwaitHeld(cluster, barrier);
  ExpectBlocked(cluster, "during-the-eviction");
  barrier.HoldCalls(PatchesOfFirst(R"("admission":null)"));
  barrier.LetOnePass();
  AwaitHeld(cluster, barrier);
  EXPECT_TRUE(cluster.IsSuspended(kFirst));
  ExpectBlocked(cluster, "before-the-release");
  barrier.Open();
  const std::vector<std::string> waiting{"Job two/during-the-eviction",
                                         "Job two/before-the-release"};
  cluster.Await("one is admitted", [&] { return CountAdmitted(cluster, waiting) > 0; });
  cluster.AwaitIdle();
  EXPECT_EQ(CountAdmitted(cluster, waiting), 1u);
}

}  // namespace
}  // namespace berth::embedded
