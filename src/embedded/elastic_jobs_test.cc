// Elastic jobs, and other changes of a running job.

#include <algorithm>
#include <map>

#include "api/meta/conditions.h"
#include "embedded/testing/barrier.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kElastic = "kueue.x-k8s.io/elastic-job: 'true'";
constexpr std::string_view kTrain = "Job team/train";

// "3 Admitted" for each slice, sorted: its count, and Waits, Admitted, or the reason of Finished.
std::vector<std::string> Slices(LiveCluster& cluster) {
  std::vector<std::string> texts;
  for (const api::Workload& slice : cluster.WorkloadsOf(kTrain)) {
    const auto* finished = api::FindCondition(slice.status.conditions, "Finished");
    const std::string state = finished != nullptr           ? finished->reason
                              : workload::IsAdmitted(slice) ? "Admitted"
                                                            : "Waits";
    texts.push_back(std::to_string(*slice.spec.pod_sets[0].count) + " " + state);
  }
  std::ranges::sort(texts);
  return texts;
}

void AwaitSlices(LiveCluster& cluster, const std::vector<std::string>& slices) {
  cluster.Await(::testing::PrintToString(slices), [&] { return Slices(cluster) == slices; });
  EXPECT_EQ(Slices(cluster), slices);
}

void Scale(LiveCluster& cluster, int parallelism) {
  cluster.Patch(kTrain, R"({"spec": {"parallelism": )" + std::to_string(parallelism) + "}}");
}

// A job of two pods with one cpu each, in a team with `cpu`.
void StartElasticJob(LiveCluster& cluster, int cpu) {
  cluster.Apply(Team("team", cpu));
  cluster.Apply(Job(
      {.name = "train", .annotations = kElastic, .spec = "  parallelism: 2\n  completions: 8\n"}));
  cluster.AwaitRunning(kTrain);
}

TEST(ElasticJobs, AGrowingJobKeepsRunningWhileItsNewSliceIsPending) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 4);
  cluster.Apply(Job({.name = "other", .requests = "cpu: 2"}));
  cluster.AwaitRunning("Job team/other");
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 Admitted", "4 Waits"});
  cluster.AwaitIdle();
  EXPECT_FALSE(cluster.IsSuspended(kTrain));
  cluster.Delete("Job team/other");
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
  EXPECT_FALSE(cluster.IsSuspended(kTrain));
  for (const api::Workload& slice : cluster.WorkloadsOf(kTrain))
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
  const std::string first = cluster.WorkloadOf(kTrain)->metadata.name;
  const std::string key = "metadata.annotations[kueue.x-k8s.io/workload-slice-name]";
  EXPECT_EQ(json::TextAt(*cluster.Find(kTrain), "spec.template." + key), first);
  Scale(cluster, 4);
  AwaitSlices(cluster, {"2 WorkloadSliceReplaced", "4 Admitted"});
  for (const api::Workload& slice : cluster.WorkloadsOf(kTrain)) {
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
  EXPECT_FALSE(cluster.IsSuspended(kTrain));
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
  cluster.Complete(kTrain);
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
  AwaitSlices(cluster, {"4 OutOfSync", "4 Waits"});
  EXPECT_TRUE(cluster.IsSuspended(kTrain));
  // A deleted slice is recreated, like any Workload.
  for (const api::Workload& slice : cluster.WorkloadsOf(kTrain))
    if (!workload::IsFinished(slice)) cluster.Delete("Workload team/" + slice.metadata.name);
  AwaitSlices(cluster, {"4 OutOfSync", "4 Waits"});
}

// No job controller creates pods here, so the test does.
std::string PodOf(LiveCluster& cluster, std::string_view name) {
  const auto slices = cluster.WorkloadsOf(kTrain);
  const std::string* family =
      slices.at(0).metadata.annotations.Find("kueue.x-k8s.io/workload-slice-name");
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team, labels: {kueue.x-k8s.io/podset: main}, annotations: "
         "{kueue.x-k8s.io/workload-slice-name: " +
         *family +
         "}}\nspec: {restartPolicy: Never, schedulingGates: [{name: kueue.x-k8s.io/elastic-job}], "
         "containers: [{name: c, image: i}]}\n";
}

bool IsGated(LiveCluster& cluster, std::string_view pod) {
  const auto found = cluster.Find("Pod team/" + std::string(pod));
  const auto* gates = json::Find(*found, {"spec", "schedulingGates"});
  return gates != nullptr && !gates->get_array().empty();
}

TEST(ElasticJobs, PodsStayGatedUntilASliceCoversThem) {
  LiveCluster cluster = StartCluster();
  StartElasticJob(cluster, 2);
  Scale(cluster, 3);
  AwaitSlices(cluster, {"2 Admitted", "3 Waits"});
  for (std::string_view pod : {"a", "b", "c"}) cluster.Apply(PodOf(cluster, pod));
  cluster.Await("two may go", [&] { return !IsGated(cluster, "a") && !IsGated(cluster, "b"); });
  cluster.AwaitIdle();
  EXPECT_TRUE(IsGated(cluster, "c"));
  cluster.Patch("ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"],
      "flavors": [{"name": "standard", "resources": [{"name": "cpu", "nominalQuota": 3}]}]}]}})");
  cluster.Await("the third, too", [&] { return !IsGated(cluster, "c"); });
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
  cluster.Apply(Job({.name = "train", .annotations = kElastic, .spec = "  parallelism: 1\n"}));
  cluster.Await("quota", [&] {
    const auto slice = cluster.WorkloadOf(kTrain);
    return slice && !slice->status.admission_checks.empty();
  });
  cluster.Apply(PodOf(cluster, "a"));
  cluster.AwaitIdle();
  EXPECT_TRUE(IsGated(cluster, "a"));
  cluster.Patch(
      "Workload team/" + cluster.WorkloadOf(kTrain)->metadata.name,
      R"({"status": {"admissionChecks": [{"name": "zones", "state": "Ready", "message": "",
                    "lastTransitionTime": "2030-01-01T00:00:00Z", "podSetUpdates": [{"name": "main",
                    "nodeSelector": {"zone": "a"}}]}]}})",
      "status");
  cluster.Await("the pod may go", [&] { return !IsGated(cluster, "a"); });
  EXPECT_EQ(json::StringAt(*cluster.Find("Pod team/a"), {"spec", "nodeSelector", "zone"}), "a");
}

TEST(SimulatedNodes, RunThePodsOfAnElasticJobAsFarAsThereIsQuota) {
  LiveCluster cluster =
      StartCluster("", embedded::SimulationSettings{.run_time = base::Duration::Seconds(3600),
                                                    .start_time = base::Duration::Milliseconds(1)});
  StartElasticJob(cluster, 2);
  const auto ready = [&] { return json::TextAt(*cluster.Find(kTrain), "status.ready"); };
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
                std::string(kElastic) + "}}\nspec: " + spec + "\n");
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

// In a team with one cpu.
void StartJobOfLowClass(LiveCluster& cluster) {
  cluster.Apply(Team("team", 1));
  cluster.Apply(kClasses);
  cluster.Apply(Job({.name = "train", .labels = "kueue.x-k8s.io/priority-class: low"}));
  cluster.AwaitRunning(kTrain);
}

void AwaitPriority(LiveCluster& cluster, int priority) {
  cluster.Await("a priority of " + std::to_string(priority),
                [&] { return cluster.WorkloadOf(kTrain)->spec.priority == priority; });
}

TEST(RunningJobs, FollowTheirPriorityClass) {
  LiveCluster cluster = StartCluster();
  StartJobOfLowClass(cluster);
  cluster.Patch(kTrain, R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"}}})");
  AwaitPriority(cluster, 100);
  cluster.AwaitIdle();
  EXPECT_TRUE(cluster.IsRunning(kTrain));
}

TEST(RunningJobs, FollowTheValueOfTheirClassUnlessThePriorityWasSetManually) {
  LiveCluster cluster = StartCluster();
  StartJobOfLowClass(cluster);
  cluster.Patch("WorkloadPriorityClass low", R"({"value": 50})");
  AwaitPriority(cluster, 50);
  cluster.Patch("Workload team/" + cluster.WorkloadOf(kTrain)->metadata.name,
                R"({"spec": {"priority": 7}})");
  cluster.Patch("WorkloadPriorityClass high", R"({"value": 101})");
  cluster.AwaitIdle();
  EXPECT_EQ(cluster.WorkloadOf(kTrain)->spec.priority, 7);
  EXPECT_TRUE(cluster.IsRunning(kTrain));
}

}  // namespace
}  // namespace berth::embedded
