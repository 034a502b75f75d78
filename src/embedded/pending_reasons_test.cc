// Every workload that waits says why, where its owner looks.

#include <algorithm>

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

std::string WhyPending(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  const api::Condition* quota =
      workload ? api::FindCondition(workload->status.conditions, "QuotaReserved") : nullptr;
  return quota == nullptr ? "" : quota->message;
}

// The text is in the condition of the job's Workload and in an Event about it.
void ExpectToldToOwner(LiveCluster& cluster, std::string_view job, const std::string& text) {
  cluster.Await("the condition of " + std::string(job),
                [&] { return WhyPending(cluster, job).contains(text); });
  const std::string name = cluster.WorkloadOf(job)->metadata.name;
  cluster.Await("the Event about " + std::string(job), [&] {
    return std::ranges::any_of(cluster.EventsAbout(name), [&](const std::string& event) {
      return event.starts_with("Warning ") && event.contains(text);
    });
  });
}

TEST(PendingReason, NamesAnUndeclaredResourceWithItsAmountAndTheRemedy) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "asks", .requests = "cpu: 1, example.com/nic: 2"}));
  cluster.AwaitPending("Job team/asks", "NoMatchingFlavor");
  ExpectToldToOwner(cluster, "Job team/asks",
                    "example.com/nic not declared in ClusterQueue team: 2 requested for pod set "
                    "main; declare it in the ClusterQueue or add an exclusion prefix");
}

constexpr std::string_view kTemplate =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: pair, "
    "namespace: team}\nspec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: "
    "gpu.example.com, count: 2}}]}}}\n";
constexpr std::string_view kUsesTemplate =
    "resourceClaims: [{name: gpu, resourceClaimTemplateName: pair}],";

TEST(PendingReason, NamesAMissingTemplateAndThenItsUnmappedDeviceClass) {
  LiveCluster cluster = StartCluster("featureGates: {KueueDynamicResourceAllocation: true}\n");
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "asks", .pod = kUsesTemplate}));
  ExpectToldToOwner(cluster, "Job team/asks",
                    "ResourceClaimTemplate \"pair\" not found in namespace \"team\"; create it");
  cluster.Apply(kTemplate);
  ExpectToldToOwner(cluster, "Job team/asks",
                    "DeviceClass \"gpu.example.com\" has no resource in ClusterQueue \"team\", 2 "
                    "requested; add a resource with kind: DeviceClass");
}

// --- Workloads that were not considered ----------------------------------------------------------

size_t CountPending(LiveCluster& cluster, std::string_view prefix, int jobs,
                    std::string_view reason) {
  size_t count = 0;
  for (int i = 0; i < jobs; ++i)
    count += cluster.PendingReason("Job team/" + std::string(prefix) + std::to_string(i)) == reason;
  return count;
}

TEST(PendingReason, ASweepOfEqualJobsIsASweepOfExplainedJobs) {
  constexpr int kJobs = 100;
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  for (int i = 0; i < kJobs; ++i)
    cluster.Apply(Job({.name = "sweep-" + std::to_string(i), .requests = "cpu: 9"}));
  cluster.Await("all reasons",
                [&] { return CountPending(cluster, "sweep-", kJobs, "ExceedsMaxQuota") == kJobs; });
  EXPECT_THAT(WhyPending(cluster, "Job team/sweep-99"), HasSubstr("9 requested, maximum 4"));
}

TEST(PendingReason, LateArrivalsGetItWhenTheJobThatWasTriedIsGone) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(Job({.name = "tried", .requests = "cpu: 9"}));
  cluster.AwaitPending("Job team/tried", "ExceedsMaxQuota");
  cluster.Apply(Job({.name = "second", .requests = "cpu: 9"}));
  cluster.AwaitPending("Job team/second", "ExceedsMaxQuota");
  // The job that was tried leaves the class, and then the cluster.
  cluster.Patch("Job team/tried", R"({"spec": {"parallelism": 2}})");
  cluster.AwaitIdle();
  cluster.Apply(Job({.name = "third", .requests = "cpu: 9"}));
  cluster.AwaitPending("Job team/third", "ExceedsMaxQuota");
  cluster.Delete("Job team/tried");
  cluster.Delete("Job team/second");
  cluster.AwaitIdle();
  cluster.Apply(Job({.name = "fourth", .requests = "cpu: 9"}));
  cluster.AwaitPending("Job team/fourth", "ExceedsMaxQuota");
}

TEST(PendingReason, JobsBehindTheHeadOfAStrictQueueSaySo) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4, "  queueingStrategy: StrictFIFO\n"));
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: "
      "high}\nvalue: 100\n");
  cluster.Apply(
      Job({.name = "head", .requests = "cpu: 9", .labels = "kueue.x-k8s.io/priority-class: high"}));
  cluster.AwaitPending("Job team/head", "ExceedsMaxQuota");
  cluster.Apply(Job({.name = "behind"}));
  cluster.AwaitPending("Job team/behind", "PendingEvaluation");
  EXPECT_THAT(WhyPending(cluster, "Job team/behind"),
              HasSubstr("behind the head of ClusterQueue team (StrictFIFO)"));
  cluster.Delete("Job team/head");
  cluster.AwaitRunning("Job team/behind");
}

// --- Flavors that change -------------------------------------------------------------------------

constexpr std::string_view kTainted =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: standard}\nspec: "
    "{nodeTaints: [{key: spot, value: 'true', effect: NoSchedule}]}\n";

TEST(PendingReason, EndsWhenTheTaintsOfAFlavorChange) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(kTainted);
  cluster.Apply(Job({.name = "first"}));
  cluster.AwaitPending("Job team/first", "NoMatchingFlavor");
  cluster.Apply(Job({.name = "equal"}));
  cluster.AwaitIdle();
  cluster.Patch("ResourceFlavor standard", R"({"spec": {"nodeTaints": null}})");
  cluster.AwaitRunning("Job team/first");
  cluster.AwaitRunning("Job team/equal");
  cluster.Apply(Job({.name = "later"}));
  cluster.AwaitRunning("Job team/later");
}

TEST(PendingReason, EndsWhenTheNodeLabelsOfAFlavorChange) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Patch("ResourceFlavor standard", R"({"spec": {"nodeLabels": {"gpu": "none"}}})");
  cluster.Apply(Job({.name = "first", .pod = "nodeSelector: {gpu: a100},"}));
  cluster.AwaitPending("Job team/first", "NoMatchingFlavor");
  cluster.Patch("ResourceFlavor standard", R"({"spec": {"nodeLabels": {"gpu": "a100"}}})");
  cluster.AwaitRunning("Job team/first");
  cluster.Apply(Job({.name = "later", .pod = "nodeSelector: {gpu: a100},"}));
  cluster.AwaitRunning("Job team/later");
}

// Pods get the tolerations of their flavor.
TEST(PendingReason, EndsWhenTheTolerationsOfAFlavorChange) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(Team("team", 4));
  cluster.Apply(kTainted);
  cluster.Apply(Job({.name = "first"}));
  cluster.AwaitPending("Job team/first", "NoMatchingFlavor");
  cluster.Apply(Job({.name = "equal"}));
  cluster.AwaitIdle();
  cluster.Patch("ResourceFlavor standard",
                R"({"spec": {"tolerations": [{"key": "spot", "operator": "Exists"}]}})");
  for (const char* job : {"Job team/first", "Job team/equal"}) cluster.AwaitRunning(job);
}

}  // namespace
}  // namespace berth::embedded
