// Elastic jobs, and other changes of a running job.

#include <algorithm>
#include <map>

#include "api/meta/conditions.h"
#include "embedded/testing/barrier.h"
#include "embedded/testing/elastic_job.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::AwaitSlices;
using ::testing::Contains;
using testing::ElasticPod;
using testing::HasElasticGate;
using ::testing::HasSubstr;
using testing::Job;
using testing::kElasticAnnotation;
using testing::kElasticJob;
using testing::LiveCluster;
using testing::Scale;
using testing::Slices;
using testing::StartCluster;
using testing::StartElasticJob;
using testing::Team;

constexpr std::string_view kClasses = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: low}
value: 1
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 100
)";

TEST(ElasticJobs, AGrowingJobKeepsRunningWhileItsNewSliceIsPending) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 4);
  cluster.Apply(Job({.name = "other", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/other");
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.IsSuspended(kElasticJob));
  cluster.Delete("Job team/other");
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
  EXPECT_FALSE(cluster.IsSuspended(kElasticJob));
  for (const api::Workload& slice : cluster.WorkloadsOf(kElasticJob))
    if (workload::IsFinished(slice))
      cluster.Await("an Event about " + slice.metadata.name, [&] {
        return ::testing::Value(
            cluster.EventsAbout(slice.metadata.name),
            Contains(HasSubstr("Normal WorkloadSliceReplaced: Replaced by Workload slice team/")));
      });
}

TEST(ElasticJobs, ASliceIsReplacedOnceTheReservationOfTheNextIsWritten) {
  testing::Barrier barrier;
  LiveCluster cluster = StartCluster("", {}, barrier.Taps());
  StartElasticJob(cluster, 4);
  barrier.HoldCalls(
      testing::PatchesOf(store::ResourceOf<api::Workload>(), "job-train-", R"("admission":{)"));
  Scale(cluster, 4);
  cluster.Await("a reservation is being written", [&] { return barrier.held() > 0; });
  cluster.Apply(Job({.name = "other"}));
  cluster.AwaitPending("Job team/other", "WaitingForQuota");
  EXPECT_EQ(Slices(cluster), (std::vector<std::string>{"2 Admitted", "4 Waits"}));
  barrier.Open();
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
}

TEST(ElasticJobs, PodTemplatesNameTheFirstSlice) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 4);
  const std::string first = cluster.WorkloadOf(kElasticJob)->metadata.name;
  const std::string key = "metadata.annotations[kueue.x-k8s.io/workload-slice-name]";
  EXPECT_EQ(json::TextAt(*cluster.Find(kElasticJob), "spec.template." + key), first);
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
  for (const api::Workload& slice : cluster.WorkloadsOf(kElasticJob)) {
    const auto tree = cluster.Find("Workload team/" + slice.metadata.name);
    EXPECT_EQ(json::TextAt(*tree, key), first);
    EXPECT_EQ(json::TextAt(*tree, "spec.podSets[0].template." + key),
              slice.metadata.name == first ? "" : first);
  }
}

TEST(ElasticJobs, AShrinkingJobReleasesQuotaAtOnce) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  cluster.Apply(Job({.name = "other"}));
  cluster.AwaitPending("Job team/other", "WaitingForQuota");
  Scale(cluster, 1);
  cluster.AwaitRunning("Job team/other");
  EXPECT_THAT(Slices(cluster), Contains("1 Admitted"));
  EXPECT_FALSE(cluster.IsSuspended(kElasticJob));
}

TEST(ElasticJobs, APendingSliceFollowsTheJobsSize) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  Scale(cluster, 5);
  AwaitSlices(cluster, {"2 Admitted", "5 Waits"});
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
}

TEST(ElasticJobs, AllSlicesFinishWithTheJob) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
  cluster.Complete(kElasticJob);
  AwaitSlices(cluster, {"2 Succeeded", "4 Succeeded"});
  cluster.Apply(Job({.name = "next", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/next");
}

TEST(ElasticJobs, AnEvictedJobStopsAndGrowsWhenRequeued) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "HoldAndDrain"}})");
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Waits"});
  EXPECT_TRUE(cluster.IsSuspended(kElasticJob));
  // A deleted slice is recreated, like any Workload.
  for (const api::Workload& slice : cluster.WorkloadsOf(kElasticJob))
    if (!workload::IsFinished(slice)) cluster.Delete("Workload team/" + slice.metadata.name);
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Waits"});
  cluster.Apply(testing::Team("team", 4));
  cluster.Patch("ClusterQueue team", R"({"spec": {"stopPolicy": "None"}})");
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
  cluster.Await("the job runs again", [&] { return !cluster.IsSuspended(kElasticJob); });
}

TEST(ElasticJobs, APreemptedJobStopsAndItsNextSliceWaits) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(kClasses);
  StartElasticJob(cluster, 5, "  parallelism: 3\n  completions: 6\n",
                  "kueue.x-k8s.io/priority-class: low");
  cluster.Patch("ClusterQueue team",
                R"({"spec": {"preemption": {"withinClusterQueue": "LowerPriority"}}})");
  Scale(cluster, 6);
  AwaitSlices(cluster, {"3 Admitted", "6 Waits"});
  cluster.Apply(
      Job({.name = "high", .requests = "cpu: 3", .labels = "kueue.x-k8s.io/priority-class: high"}));
  cluster.AwaitRunning("Job team/high");
  AwaitSlices(cluster, {"3 WorkloadSliceReplaced", "6 Waits"});
  EXPECT_TRUE(cluster.IsSuspended(kElasticJob));
  cluster.Await("the quota of the other job is used", [&] {
    return json::TextAt(*cluster.Find("ClusterQueue team"),
                        "status.flavorsUsage[0].resources[0].total") == "3";
  });
}

TEST(ElasticJobs, PodsStayGatedUntilASliceCoversThem) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  Scale(cluster, 3);
  AwaitSlices(cluster, {"2 Admitted", "3 Waits"});
  for (std::string_view pod : {"a", "b", "c"}) cluster.Apply(ElasticPod(cluster, pod));
  cluster.Await("two may go",
                [&] { return !HasElasticGate(cluster, "a") && !HasElasticGate(cluster, "b"); });
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "c"));
  cluster.Patch("ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"],
      "flavors": [{"name": "standard", "resources": [{"name": "cpu", "nominalQuota": 3}]}]}]}})");
  cluster.Await("the third, too", [&] { return !HasElasticGate(cluster, "c"); });
}

TEST(ElasticJobs, PodsGetWhatTheAdmissionChecksAdd) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: zones}\nspec: "
      "{controllerName: example.com/zones}\n");
  cluster.Patch(
      "AdmissionCheck zones",
      R"({"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
                    "message": "", "lastTransitionTime": "2030-01-01T00:00:00Z"}]}})",
      "status");
  cluster.Apply(Team("team", 2, "  admissionChecksStrategy: {admissionChecks: [{name: zones}]}\n"));
  cluster.Apply(
      Job({.name = "train", .annotations = kElasticAnnotation, .spec = "  parallelism: 1\n"}));
  cluster.Await("quota", [&] {
    const auto slice = cluster.WorkloadOf(kElasticJob);
    return slice && !slice->status.admission_checks.empty();
  });
  cluster.Apply(ElasticPod(cluster, "a"));
  cluster.AwaitIdle();
  EXPECT_TRUE(HasElasticGate(cluster, "a"));
  cluster.Patch(
      "Workload team/" + cluster.WorkloadOf(kElasticJob)->metadata.name,
      R"({"status": {"admissionChecks": [{"name": "zones", "state": "Ready", "message": "",
                    "lastTransitionTime": "2030-01-01T00:00:00Z", "podSetUpdates": [{"name": "main",
                    "nodeSelector": {"zone": "a"}}]}]}})",
      "status");
  cluster.Await("the pod may go", [&] { return !HasElasticGate(cluster, "a"); });
  EXPECT_EQ(json::StringAt(*cluster.Find("Pod team/a"), {"spec", "nodeSelector", "zone"}), "a");
}

TEST(SimulatedNodes, RunThePodsOfAnElasticJobAsFarAsThereIsQuota) {
  LiveCluster cluster =
      StartCluster("", embedded::SimulationSettings{.run_time = base::Duration::Seconds(3600),
                                                    .start_time = base::Duration::Milliseconds(1)});
  StartElasticJob(cluster, 2);
  const auto ready = [&] { return json::TextAt(*cluster.Find(kElasticJob), "status.ready"); };
  cluster.Await("both pods are ready", [&] { return ready() == "2"; });
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
  cluster.AwaitIdle();
  EXPECT_EQ(ready(), "2");
  cluster.Patch("ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"],
      "flavors": [{"name": "standard", "resources": [{"name": "cpu", "nominalQuota": 4}]}]}]}})");
  cluster.Await("all are ready", [&] { return ready() == "4"; });
}

// --- Ray -----------------------------------------------------------------------------------------

std::string RayClusterSpec(int workers) {
  constexpr std::string_view kTemplate =
      "template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}}";
  return "{enableInTreeAutoscaling: true, autoscalerOptions: {resources: {requests: {cpu: 1}}}, "
         "headGroupSpec: {" +
         std::string(kTemplate) +
         ", workerGroupSpecs: [{groupName: w, replicas: " + std::to_string(workers) + ", " +
         std::string(kTemplate) + "]}";
}

// An elastic job of that kind makes a RayCluster, whose autoscaler then adds two workers.
struct RayParent {
  std::string_view kind;
  std::string_view plural;
  std::string_view spec;    // with $CLUSTER for that of the RayCluster
  std::string_view status;  // names the RayCluster
};

void GrowClusterOf(LiveCluster& cluster, const RayParent& parent) {
  cluster.Create(testing::Definition("ray.io/v1", parent.kind, parent.plural));
  cluster.Create(testing::Definition("ray.io/v1", "RayCluster", "rayclusters"));
  cluster.Apply(Team("team", 9));
  std::string spec(parent.spec);
  spec.replace(spec.find("$CLUSTER"), 8, RayClusterSpec(1));
  const std::string kind(parent.kind);
  cluster.Apply("apiVersion: ray.io/v1\nkind: " + kind +
                "\nmetadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: "
                "main}, annotations: {" +
                std::string(kElasticAnnotation) + "}}\nspec: " + spec + "\n");
  const std::string job = kind + " team/train";
  cluster.AwaitRunning(job);
  cluster.Patch(job, parent.status, "status");
  for (const int workers : {1, 3})
    cluster.Apply(
        "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: made, namespace: team}\nspec: " +
        RayClusterSpec(workers) + "\n");
}

// A slice with three workers has quota.
bool HasGrown(LiveCluster& cluster, const std::string& job) {
  return std::ranges::any_of(cluster.WorkloadsOf(job), [](const auto& slice) {
    return workload::IsAdmitted(slice) && !workload::IsFinished(slice) &&
           slice.spec.pod_sets.at(1).count == 3;
  });
}

constexpr RayParent kRayJob{
    .kind = "RayJob",
    .plural = "rayjobs",
    .spec = "{submissionMode: HTTPMode, shutdownAfterJobFinishes: true, rayClusterSpec: $CLUSTER}",
    .status = R"({"status": {"rayClusterName": "made"}})"};
constexpr RayParent kRayService{
    .kind = "RayService",
    .plural = "rayservices",
    .spec = "{rayClusterConfig: $CLUSTER}",
    .status = R"({"status": {"activeServiceStatus": {"rayClusterName": "made"}}})"};

TEST(ElasticJobs, ARayJobFollowsTheClusterThatItCreated) {
  LiveCluster cluster = StartCluster("integrations: {frameworks: [ray.io/rayjob]}\n");
  GrowClusterOf(cluster, kRayJob);
  cluster.Await("more workers", [&] { return HasGrown(cluster, "RayJob team/train"); });
  EXPECT_FALSE(cluster.IsSuspended("RayJob team/train"));
}

TEST(ElasticJobs, ARayServiceFollowsTheClusterThatItCreated) {
  LiveCluster cluster = StartCluster("integrations: {frameworks: [ray.io/rayservice]}\n");
  GrowClusterOf(cluster, kRayService);
  cluster.Await("more workers", [&] { return HasGrown(cluster, "RayService team/train"); });
  cluster.Await("the service runs", [&] {
    return json::TextAt(*cluster.Find("RayService team/train"), "spec.rayClusterConfig.suspend") ==
           "false";
  });
}

// In a team with one cpu.
void StartJobOfLowClass(LiveCluster& cluster) {
  cluster.Apply(Team("team", 1));
  cluster.Apply(kClasses);
  cluster.Apply(Job({.name = "train", .labels = "kueue.x-k8s.io/priority-class: low"}));
  cluster.AwaitRunning(kElasticJob);
}

void AwaitPriority(LiveCluster& cluster, int priority) {
  cluster.Await("a priority of " + std::to_string(priority),
                [&] { return cluster.WorkloadOf(kElasticJob)->spec.priority == priority; });
}

TEST(RunningJobs, FollowTheirPriorityClass) {
  LiveCluster cluster = StartCluster();
  StartJobOfLowClass(cluster);
  cluster.Patch(kElasticJob,
                R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"}}})");
  AwaitPriority(cluster, 100);
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.IsRunning(kElasticJob));
}

TEST(RunningJobs, FollowTheValueOfTheirClassUnlessThePriorityWasSetManually) {
  LiveCluster cluster = StartCluster();
  StartJobOfLowClass(cluster);
  cluster.Patch("WorkloadPriorityClass low", R"({"value": 50})");
  AwaitPriority(cluster, 50);
  cluster.Patch("Workload team/" + cluster.WorkloadOf(kElasticJob)->metadata.name,
                R"({"spec": {"priority": 7}})");
  cluster.Patch("WorkloadPriorityClass high", R"({"value": 101})");
  cluster.AwaitIdle();
  EXPECT_EQ(cluster.WorkloadOf(kElasticJob)->spec.priority, 7);
  EXPECT_TRUE(cluster.IsRunning(kElasticJob));
}

}  // namespace
}  // namespace berth::embedded
