// waitForPodsReady.blockAdmission: one workload at a time until its pods are ready.

#include "embedded/testing/live_test.h"

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

}  // namespace
}  // namespace berth::embedded
