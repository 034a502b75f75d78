// Gates of Kueue whose effect a user sees, on and off.

#include "api/core/pod.h"
#include "embedded/testing/barrier.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using testing::Answer;
using testing::Definition;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

// A cluster with a team and one kind of job besides Jobs, with some gates off.
LiveCluster StartWithout(std::string_view gates, std::string_view framework,
                         std::string_view more = "", store::Taps taps = {}) {
  std::string configuration = std::string(more) + "integrations: {frameworks: [" +
                              std::string(framework) + "]}\nfeatureGates: {";
  for (std::string_view rest = gates; !rest.empty();) {
    const size_t space = std::min(rest.find(' '), rest.size());
    configuration += std::string(rest.substr(0, space)) + ": false, ";
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  LiveCluster cluster = StartCluster(configuration + "}\n", {}, std::move(taps));
  cluster.Apply(Team("team", 10));
  return cluster;
}

constexpr std::string_view kPodTemplate =
    "{spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}";

std::string RefusalOfGroupSize(std::string_view gates_off) {
  LiveCluster cluster = StartWithout(gates_off, "pod, leaderworkerset.x-k8s.io/leaderworkerset");
  cluster.Create(Definition("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets"));
  cluster.Apply(
      "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\n"
      "metadata: {name: chat, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec: {replicas: 1, leaderWorkerTemplate: {size: 2, workerTemplate: " +
      std::string(kPodTemplate) + "}}\n");
  return cluster
      .TryPatch("LeaderWorkerSet team/chat", R"({"spec": {"leaderWorkerTemplate": {"size": 3}}})")
      .refusal;
}

TEST(FeatureGates, LWSImmutableGroupSizeKeepsTheSizeOfManagedGroups) {
  EXPECT_THAT(RefusalOfGroupSize(""), HasSubstr("spec.leaderWorkerTemplate.size"));
  EXPECT_THAT(RefusalOfGroupSize("LWSImmutableGroupSize"), IsEmpty());
}

std::string RefusalOfRemovedQueue(std::string_view gates_off) {
  LiveCluster cluster = StartWithout(gates_off, "ray.io/raycluster");
  cluster.Create(Definition("ray.io/v1", "RayCluster", "rayclusters"));
  cluster.Apply(
      "apiVersion: ray.io/v1\nkind: RayCluster\n"
      "metadata: {name: ray, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec: {headGroupSpec: {rayStartParams: {}, template: " +
      std::string(kPodTemplate) + "}}\n");
  cluster.AwaitRunning("RayCluster team/ray");
  return cluster
      .TryPatch("RayCluster team/ray",
                R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": null}}})")
      .refusal;
}

TEST(FeatureGates, ValidateRayAndSparkJobUpdatesKeepsTheQueueOfRunningRayJobs) {
  EXPECT_THAT(RefusalOfRemovedQueue(""), HasSubstr("kueue.x-k8s.io/queue-name"));
  EXPECT_THAT(RefusalOfRemovedQueue("ValidateRayAndSparkJobUpdates"), IsEmpty());
}

std::string RefusalWhileDeleted(std::string_view gates_off) {
  LiveCluster cluster = StartWithout(gates_off, "pod, statefulset");
  cluster.Apply(
      "apiVersion: apps/v1\nkind: StatefulSet\n"
      "metadata: {name: db, namespace: team, finalizers: [example.com/wait], "
      "labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec: {replicas: 2, serviceName: db, selector: {matchLabels: {app: db}}, template: "
      "{metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}}\n");
  cluster.Delete("StatefulSet team/db");
  return cluster.TryPatch("StatefulSet team/db", R"({"spec": {"replicas": 1}})").refusal;
}

TEST(FeatureGates, SkipAncestorCheckForDeletedWorkloadsLeavesDeletedJobsAlone) {
  EXPECT_THAT(RefusalWhileDeleted(""), IsEmpty());
  EXPECT_THAT(RefusalWhileDeleted("SkipAncestorCheckForDeletedWorkloads"),
              HasSubstr("spec.replicas"));
}

// Whether the Workload of a RayService that is being deleted is finished.
bool EndsWhileDeleted(std::string_view gates_off, std::string_view fault_tolerance) {
  // The cleanup counts: it requests memory.
  LiveCluster cluster = StartWithout(gates_off, "ray.io/rayservice",
                                     "resources: {excludeResourcePrefixes: [memory]}\n");
  cluster.Create(Definition("ray.io/v1", "RayService", "rayservices"));
  cluster.Apply(
      "apiVersion: ray.io/v1\nkind: RayService\n"
      "metadata: {name: ray, namespace: team, finalizers: [ray.io/cleanup], "
      "labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec: {rayClusterConfig: {" +
      std::string(fault_tolerance) +
      "headGroupSpec: {rayStartParams: {}, template: " + std::string(kPodTemplate) + "}}}\n");
  cluster.AwaitRunning("RayService team/ray");
  const std::string name = cluster.WorkloadOf("RayService team/ray")->metadata.name;
  cluster.Delete("RayService team/ray");
  cluster.AwaitIdle();
  const auto workload = cluster.FindWorkload("team/" + name);
  return !workload || workload->metadata.finalizers.empty();
}

TEST(FeatureGates, DeferRayServiceFinalizationForRedisCleanupKeepsTheQuotaForTheCleanup) {
  constexpr std::string_view kTolerant = "gcsFaultToleranceOptions: {redisAddress: r:6379}, ";
  EXPECT_FALSE(EndsWhileDeleted("", kTolerant));
  EXPECT_TRUE(EndsWhileDeleted("", "")) << "nothing is cleaned up";
  EXPECT_TRUE(EndsWhileDeleted("DeferRayServiceFinalizationForRedisCleanup", kTolerant));
}

// The finalizers of a pod that ended. While ours was being removed, another controller added one.
std::string FinalizersAfterRace(std::string_view gates_off) {
  testing::Barrier barrier;
  LiveCluster cluster = StartWithout(gates_off, "pod", "", barrier.Taps());
  cluster.Apply(
      "apiVersion: v1\nkind: Pod\n"
      "metadata: {name: ends, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}\n"
      "spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n");
  cluster.Await("the pod may start", [&] {
    return !json::IsSetAt(*cluster.Find("Pod team/ends"), "spec.schedulingGates");
  });
  barrier.HoldCalls(testing::PatchesOf(store::ResourceOf<api::Pod>(), "ends", "finalizers"));
  cluster.Patch("Pod team/ends", R"({"status": {"phase": "Succeeded"}})", "status");
  cluster.Await("our finalizer is being removed", [&] { return barrier.held() > 0; });
  cluster.Patch("Pod team/ends", R"({"metadata": {"finalizers": ["kueue.x-k8s.io/managed",
      "example.com/other"]}})");
  barrier.Open();
  std::string finalizers;
  cluster.Await("our finalizer is gone", [&] {
    const auto pod = cluster.Find("Pod team/ends");
    const json::value* found = json::FindAt(*pod, "metadata.finalizers");
    finalizers = found == nullptr ? "" : json::Print(*found);
    return !finalizers.contains("kueue.x-k8s.io/managed");
  });
  return finalizers;
}

TEST(FeatureGates, RemoveFinalizersWithStrictPatchKeepsTheFinalizersOfOthers) {
  EXPECT_EQ(FinalizersAfterRace(""), R"(["example.com/other"])");
  EXPECT_EQ(FinalizersAfterRace("RemoveFinalizersWithStrictPatch"), "") << "undone";
}

// Without KueueDRAIntegration and the gates that need it.
constexpr std::string_view kNoDevices =
    "KueueDRAIntegration KueueDRAIntegrationExtendedResource "
    "KueueDRAIntegrationPartitionableDevices";

std::string ClaimingJob() {
  return Job(
      {.name = "claims", .pod = "resourceClaims: [{name: g, resourceClaimTemplateName: t}],"});
}

TEST(FeatureGates, KueueDRARejectWorkloadsWhenDRADisabledMakesClaimsInadmissible) {
  LiveCluster cluster = StartWithout(kNoDevices, "batch/job");
  cluster.Apply(ClaimingJob());
  cluster.Apply(Job({.name = "plain"}));
  cluster.AwaitRunning("Job team/plain");
  cluster.AwaitPending("Job team/claims", "Misconfigured");
  EXPECT_THAT(json::Print(*cluster.Find("Workload team/" +
                                        cluster.WorkloadOf("Job team/claims")->metadata.name)),
              HasSubstr("ResourceClaims rejected"));
}

TEST(FeatureGates, KueueDRARejectWorkloadsWhenDRADisabledIsOffClaimsCountNothing) {
  LiveCluster cluster = StartWithout(
      std::string(kNoDevices) + " KueueDRARejectWorkloadsWhenDRADisabled", "batch/job");
  cluster.Apply(ClaimingJob());
  cluster.AwaitRunning("Job team/claims");
}

}  // namespace
}  // namespace berth::embedded
