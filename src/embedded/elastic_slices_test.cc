// Pods and slices of elastic jobs over their whole life: deleted and evicted slices, completed
// pods, and changes of the priority class.

#include <algorithm>

#include "api/meta/conditions.h"
#include "embedded/testing/elastic_job.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::AwaitSlices;
using testing::ElasticPod;
using testing::HasElasticGate;
using testing::kElasticJob;
using testing::LiveCluster;
using testing::Scale;
using testing::StartCluster;
using testing::StartElasticJob;

constexpr std::string_view kSliceName = "metadata.annotations[kueue.x-k8s.io/workload-slice-name]";

std::string SliceOfTemplate(LiveCluster& cluster) {
  return json::TextAt(*cluster.Find(kElasticJob), "spec.template." + std::string(kSliceName));
}

// The slice that is not finished.
api::Workload ActiveSlice(LiveCluster& cluster) {
  for (api::Workload& slice : cluster.WorkloadsOf(kElasticJob))
    if (!workload::IsFinished(slice)) return std::move(slice);
  ADD_FAILURE() << "no active slice";
  return {};
}

void DeleteSlice(LiveCluster& cluster, const std::string& name) {
  const std::string slice = "Workload team/" + name;
  cluster.Delete(slice);
  cluster.Await("the slice is gone", [&] { return !cluster.Find(slice); });
}

std::string UsedCpu(LiveCluster& cluster) {
  return json::TextAt(*cluster.Find("ClusterQueue team"),
                      "status.flavorsUsage[0].resources[0].total");
}

int Reclaimable(LiveCluster& cluster) {
  const auto pods = ActiveSlice(cluster).status.reclaimable_pods;
  return pods.empty() ? 0 : pods.front().count;
}

void AwaitReclaimable(LiveCluster& cluster, int pods, std::string_view used) {
  cluster.Await(std::to_string(pods) + " reclaimable pods and usage " + std::string(used),
                [&] { return Reclaimable(cluster) == pods && UsedCpu(cluster) == used; });
}

void GrowFromOneToTwo(LiveCluster& cluster) {
  StartElasticJob(cluster, 5, "  parallelism: 1\n  completions: 3\n");
  Scale(cluster, 2);
  AwaitSlices(cluster, {"1 WorkloadSliceReplaced", "2 Admitted"});
}

TEST(ElasticPods, FollowTheActiveSliceThoughTheFirstOneIsGone) {
  LiveCluster cluster = StartCluster();
  GrowFromOneToTwo(cluster);
  const std::string first = SliceOfTemplate(cluster);
  DeleteSlice(cluster, first);
  cluster.Apply(ElasticPod(cluster, "late", first));
  cluster.Await("the pod may go", [&] { return !HasElasticGate(cluster, "late"); });
}

TEST(ElasticPods, StayGatedOnceTheirOnlySliceIsGone) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 5, "  parallelism: 1\n");
  const std::string first = SliceOfTemplate(cluster);
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "Hold"}})");
  DeleteSlice(cluster, first);
  cluster.Apply(ElasticPod(cluster, "late", first));
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "late"));
}

TEST(ElasticPods, StayGatedWhileTheirSliceIsBeingEvicted) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 5);
  cluster.Apply(ElasticPod(cluster, "a"));
  cluster.Await("the first may go", [&] { return !HasElasticGate(cluster, "a"); });
  cluster.Patch(kElasticJob, R"({"status": {"active": 1}})", "status");
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  cluster.Await("the job is stopped", [&] { return cluster.IsSuspended(kElasticJob); });
  EXPECT_TRUE(workload::HasReservation(ActiveSlice(cluster)));
  cluster.Apply(ElasticPod(cluster, "b"));
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "b"));
}

TEST(ElasticPods, TakeThePlaceOfAPodThatHasEndedAndNotOfOneThatRuns) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 5, "  parallelism: 1\n  completions: 2\n");
  cluster.Apply(ElasticPod(cluster, "a"));
  cluster.Await("the first may go", [&] { return !HasElasticGate(cluster, "a"); });
  cluster.Patch("Pod team/a", R"({"status": {"phase": "Running"}})", "status");
  cluster.Apply(ElasticPod(cluster, "b"));
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "b"));
  cluster.Patch("Pod team/a", R"({"status": {"phase": "Succeeded"}})", "status");
  cluster.Await("the second may go", [&] { return !HasElasticGate(cluster, "b"); });
}

TEST(ElasticPods, OfTheFirstSliceCountAgainstTheOneThatReplacedIt) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 5, "  parallelism: 1\n  completions: 3\n");
  const std::string first = SliceOfTemplate(cluster);
  cluster.Apply(ElasticPod(cluster, "a", first));
  cluster.Await("the first may go", [&] { return !HasElasticGate(cluster, "a"); });
  Scale(cluster, 2);
  AwaitSlices(cluster, {"1 WorkloadSliceReplaced", "2 Admitted"});
  for (const char* pod : {"b", "c"}) cluster.Apply(ElasticPod(cluster, pod, first));
  cluster.Await("the second may go", [&] { return !HasElasticGate(cluster, "b"); });
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "c"));
}

constexpr std::string_view kIndexedOfEight =
    "  parallelism: 8\n  completions: 8\n  completionMode: Indexed\n";

TEST(ElasticQuota, FollowsTheCompletedIndexesThatAreLeftAfterAScaleDown) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 9, kIndexedOfEight);
  cluster.Patch(kElasticJob, R"({"status": {"succeeded": 4, "completedIndexes": "0-3"}})",
                "status");
  AwaitReclaimable(cluster, 4, "4");
  cluster.Patch(kElasticJob, R"({"spec": {"parallelism": 3, "completions": 3}})");
  AwaitReclaimable(cluster, 3, "0");
  AwaitSlices(cluster, {"3 Admitted"});
}

TEST(ElasticQuota, DoesNotCountAFailedIndexThatAScaleDownRemoved) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 9, std::string(kIndexedOfEight) + "  backoffLimitPerIndex: 0\n");
  cluster.Patch(kElasticJob, R"({"status": {"failed": 1, "failedIndexes": "7"}})", "status");
  AwaitReclaimable(cluster, 1, "7");
  cluster.Patch(kElasticJob, R"({"spec": {"parallelism": 3, "completions": 3}})");
  AwaitReclaimable(cluster, 0, "3");
}

TEST(ElasticQuota, IsThatOfTheIndexesAndNotOfAnOutdatedCount) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 9, kIndexedOfEight);
  cluster.Patch(kElasticJob, R"({"spec": {"parallelism": 4, "completions": 4}})");
  AwaitSlices(cluster, {"4 Admitted"});
  cluster.Patch(kElasticJob, R"({"status": {"succeeded": 6, "completedIndexes": "2-3"}})",
                "status");
  AwaitReclaimable(cluster, 2, "2");
}

TEST(ElasticQuota, IsThatOfTheRunningPodsAfterAScaleDown) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 9, "  parallelism: 8\n  completions: 8\n");
  cluster.Patch(kElasticJob, R"({"status": {"succeeded": 6}})", "status");
  AwaitReclaimable(cluster, 6, "2");
  Scale(cluster, 4);
  AwaitSlices(cluster, {"4 Admitted"});
  AwaitReclaimable(cluster, 2, "2");
}

TEST(ElasticQuota, IsNotLeakedByQuickChanges) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 5, "  parallelism: 1\n  completions: 100\n");
  for (const int size : {1, 2, 3, 4, 1, 2, 3, 4, 1, 3}) Scale(cluster, size);
  cluster.Await("one slice of three pods", [&] {
    const auto slices = testing::Slices(cluster);
    return std::ranges::count(slices, "3 Admitted") == 1 && UsedCpu(cluster) == "3";
  });
  cluster.AwaitIdle();
  EXPECT_EQ(UsedCpu(cluster), "3");
  EXPECT_FALSE(cluster.IsSuspended(kElasticJob));
}

TEST(SliceChain, StartsAgainWhenTheActiveSliceIsDeleted) {
  LiveCluster cluster = StartCluster();
  GrowFromOneToTwo(cluster);
  const std::string first = SliceOfTemplate(cluster);
  const std::string second = ActiveSlice(cluster).metadata.name;
  cluster.Delete("Workload team/" + second);
  cluster.Await("the job runs with another chain", [&] {
    const std::string name = SliceOfTemplate(cluster);
    return name != first && name != second && !cluster.IsSuspended(kElasticJob);
  });
  cluster.AwaitIdle();
  const api::Workload slice = ActiveSlice(cluster);
  EXPECT_EQ(SliceOfTemplate(cluster), slice.metadata.name);
  EXPECT_TRUE(workload::IsAdmitted(slice));
}

TEST(SliceChain, IsKeptByAnEviction) {
  LiveCluster cluster = StartCluster();
  GrowFromOneToTwo(cluster);
  const std::string first = SliceOfTemplate(cluster);
  const std::string second = ActiveSlice(cluster).metadata.name;
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  cluster.Await("the job is stopped", [&] { return cluster.IsSuspended(kElasticJob); });
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "None"}})");
  AwaitSlices(cluster, {"1 WorkloadSliceReplaced", "2 Admitted"});
  cluster.Await("the job runs again", [&] { return !cluster.IsSuspended(kElasticJob); });
  EXPECT_EQ(ActiveSlice(cluster).metadata.name, second);
  EXPECT_EQ(SliceOfTemplate(cluster), first);
}

// --- Priority classes ----------------------------------------------------------------------------

std::string ClassOf(std::string_view name, int value) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: " +
         std::string(name) + "}\nvalue: " + std::to_string(value) + "\n";
}

void SetClass(LiveCluster& cluster, std::string_view name, std::string_view spec = "{}") {
  cluster.Patch(kElasticJob, R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": ")" +
                                 std::string(name) + R"("}}, "spec": )" + std::string(spec) + "}");
}

std::string ClassOfSlice(LiveCluster& cluster) {
  const api::Workload slice = ActiveSlice(cluster);
  const auto& ref = slice.spec.priority_class_ref;
  return ref ? ref->name + " " + std::to_string(slice.spec.priority.value_or(0)) : "none";
}

TEST(PriorityOfASlice, FollowsTheLabelOfItsJobOnceTheClassExists) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(ClassOf("low", 1));
  StartElasticJob(cluster, 5, "  parallelism: 1\n", "kueue.x-k8s.io/priority-class: low");
  EXPECT_EQ(ClassOfSlice(cluster), "low 1");
  SetClass(cluster, "high");
  cluster.AwaitIdle();
  EXPECT_EQ(ClassOfSlice(cluster), "low 1");
  cluster.Apply(ClassOf("high", 100));
  cluster.Await("the new class", [&] { return ClassOfSlice(cluster) == "high 100"; });
  AwaitSlices(cluster, {"1 Admitted"});
  EXPECT_FALSE(cluster.IsSuspended(kElasticJob));
}

TEST(PriorityOfASlice, StaysEmptyWhileItHasQuota) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(ClassOf("high", 100));
  StartElasticJob(cluster, 5, "  parallelism: 1\n");
  SetClass(cluster, "high", R"({"suspend": true})");
  cluster.Await("the job is resumed", [&] { return !cluster.IsSuspended(kElasticJob); });
  EXPECT_EQ(ClassOfSlice(cluster), "none");
}

}  // namespace
}  // namespace berth::embedded
