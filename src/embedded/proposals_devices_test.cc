// KEP-2941, device classes as quota, end to end. Tests are named after the rules of
// docs/features/device-classes.md.

#include "api/kueue/cluster_queue.h"
#include "embedded/testing/live_test.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Job;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

constexpr std::string_view kDevicesGate = "featureGates: {KueueDynamicResourceAllocation: true}\n";

// A ClusterQueue in the cohort "company" that counts devices of a class as "gpus".
std::string DeviceQueue(std::string_view name, std::string_view device_class, int gpus = 2) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " +
         std::string(name) +
         "}\nspec: {cohortName: company, namespaceSelector: {}, resourceGroups: "
         "[{coveredResources: [cpu, gpus], flavors: [{name: standard, resources: [{name: cpu, "
         "nominalQuota: 10}, {name: gpus, kind: DeviceClass, deviceClassNames: [" +
         std::string(device_class) + "], nominalQuota: " + std::to_string(gpus) + "}]}]}]}\n";
}

std::string TemplateOf(std::string_view name, std::string_view requests) {
  return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: " +
         std::string(name) + ", namespace: team}\nspec: {spec: {devices: {requests: [" +
         std::string(requests) + "]}}}\n";
}

std::string Template(std::string_view name, int count) {
  return TemplateOf(name, "{name: gpu, exactly: {deviceClassName: gpu.example.com, count: " +
                              std::to_string(count) + "}}");
}

constexpr std::string_view kClaims =
    "resourceClaims: [{name: gpu, resourceClaimTemplateName: pair}],";

LiveCluster StartWithDevices() { return StartCluster(kDevicesGate); }

void Equip(LiveCluster& cluster) {
  cluster.Apply(Team("team", 10));
  cluster.Apply(DeviceQueue("team", "gpu.example.com"));
}

std::string GpusOf(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  if (!workload || !workload->status.admission) return "none";
  const auto* gpus = workload->status.admission->pod_set_assignments[0].resource_usage.Find("gpus");
  return gpus == nullptr ? "none" : gpus->ToString();
}

TEST(ProposalDevices, Rule1ACohortHasQuotaOfTheSameName) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(DeviceQueue("team", "gpu.example.com", 0));
  cluster.Apply(Template("pair", 2));
  cluster.Apply(Job({.name = "train", .pod = kClaims}));
  cluster.Await("a reason to wait",
                [&] { return !cluster.PendingReason("Job team/train").empty(); });
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: company}\nspec: "
      "{resourceGroups: [{coveredResources: [gpus], flavors: [{name: standard, resources: [{name: "
      "gpus, kind: DeviceClass, deviceClassNames: [gpu.example.com], nominalQuota: 2}]}]}]}\n");
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "2");
}

TEST(ProposalDevices, Rule2ContradictoryMappingsAreRejected) {
  LiveCluster cluster = StartWithDevices();
  cluster.Apply(Team("team", 10));
  const auto refusal = [&](std::string_view resource) {
    return cluster
        .TryPatch("ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources":
            ["gpus"], "flavors": [{"name": "standard", "resources": [)" +
                                           std::string(resource) + "]}]}]}}")
        .refusal;
  };
  EXPECT_THAT(refusal(R"({"name": "gpus", "nominalQuota": "1", "kind": "DeviceClass"})"),
              HasSubstr("deviceClassNames"));
  EXPECT_THAT(refusal(R"({"name": "gpus", "nominalQuota": "1", "deviceClassNames": ["a.com"]})"),
              HasSubstr("kind"));
  EXPECT_THAT(refusal(R"({"name": "gpus", "nominalQuota": "1", "kind": "DeviceClass",
                          "deviceClassNames": ["a.com", "a.com"]})"),
              HasSubstr("deviceClassNames[1]"));
}

TEST(ProposalDevices, Rule2AConflictInACohortTreeIsRejectedNamingTheOtherQueue) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  EXPECT_THAT(cluster.TryApply(DeviceQueue("other", "tpu.example.com")).refusal,
              AllOf(HasSubstr("spec.resourceGroups"), HasSubstr("ClusterQueue \"team\"")));
  EXPECT_EQ(cluster.TryApply(DeviceQueue("other", "gpu.example.com")).refusal, "");
  // Also on update, and for a Cohort that would join two trees.
  EXPECT_THAT(cluster.TryApply(DeviceQueue("other", "tpu.example.com")).refusal,
              HasSubstr("ClusterQueue \"team\""));
  const std::string elsewhere = DeviceQueue("elsewhere", "tpu.example.com");
  std::string moved = elsewhere;
  moved.replace(moved.find("company"), 7, "annex");
  EXPECT_EQ(cluster.TryApply(moved).refusal, "");
  const std::string refusal =
      cluster
          .TryApply(
              "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: "
              "annex}\nspec: {parentName: company}\n")
          .refusal;
  EXPECT_THAT(refusal,
              HasSubstr("device class \"tpu.example.com\" in ClusterQueue \"elsewhere\" and "
                        "device class \"gpu.example.com\" in ClusterQueue \"other\""));
  EXPECT_THAT(refusal, ::testing::Not(HasSubstr("in ClusterQueue \"team\""))) << "reported once";
}

TEST(ProposalDevices, Rule3And7ClaimsAreChargedUnderTheCanonicalName) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(Template("pair", 2));
  cluster.Apply(Job({.name = "first", .pod = kClaims}));
  cluster.AwaitRunning("Job team/first");
  EXPECT_EQ(GpusOf(cluster, "Job team/first"), "2");
  cluster.Apply(Job({.name = "second", .pod = kClaims}));
  cluster.AwaitPending("Job team/second", "WaitingForQuota");
  cluster.Await("the usage in the queue's status", [&] {
    const auto queue =
        schema::Decode<api::ClusterQueue>(json::Print(*cluster.Find("ClusterQueue team")));
    for (const api::FlavorUsage& flavor : queue->status.flavors_usage)
      for (const api::ResourceUsage& usage : flavor.resources)
        if (usage.name == "gpus" && usage.total && usage.total->ToString() == "2") return true;
    return false;
  });
}

constexpr std::string_view kSharedClaim =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: pool, namespace: "
    "team}\nspec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, "
    "count: 2}}]}}\n";
constexpr std::string_view kUsesShared = "resourceClaims: [{name: gpu, resourceClaimName: pool}],";

TEST(ProposalDevices, Rule3ANamedClaimIsChargedOnceForAllPodsOfAJob) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(kSharedClaim);
  cluster.Apply(
      Job({.name = "train", .pod = kUsesShared, .spec = "  parallelism: 3\n  completions: 3\n"}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "2");
  // Also if only some of the pods are admitted.
  cluster.Complete("Job team/train");
  cluster.Apply(Job({.name = "partial",
                     .requests = "cpu: 2",
                     .annotations = "kueue.x-k8s.io/job-min-parallelism: '1'",
                     .pod = kUsesShared,
                     .spec = "  parallelism: 9\n  completions: 9\n"}));
  cluster.AwaitRunning("Job team/partial");
  EXPECT_EQ(GpusOf(cluster, "Job team/partial"), "2");
  EXPECT_EQ(cluster.WorkloadOf("Job team/partial")->status.admission->pod_set_assignments[0].count,
            5);
}

TEST(ProposalDevices, Rule3ANamedClaimIsChargedOnceForAllPodsOfAGroup) {
  LiveCluster cluster = StartCluster(
      "featureGates: {KueueDynamicResourceAllocation: true}\nintegrations: {frameworks: [pod]}\n");
  Equip(cluster);
  cluster.Apply(kSharedClaim);
  for (const std::string name : {"a", "b", "c"})
    cluster.Apply("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
                  ", namespace: team, labels: {kueue.x-k8s.io/queue-name: main, "
                  "kueue.x-k8s.io/pod-group-name: group}, annotations: "
                  "{kueue.x-k8s.io/pod-group-total-count: '3'}}\nspec: {" +
                  std::string(kUsesShared) +
                  " containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n");
  cluster.Await("the group's admission", [&] {
    const auto workload = cluster.FindWorkload("team/group");
    return workload && workload::IsAdmitted(*workload);
  });
  cluster.Await("pods without a gate", [&] {
    return json::Print(*cluster.Find("Pod team/c")).find("schedulingGates") == std::string::npos;
  });
}

TEST(ProposalDevices, Rule4RequestsAndAlternativesAddUpAndAllCountsTheMaximum) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(DeviceQueue("team", "gpu.example.com", 100));
  cluster.Apply(TemplateOf(
      "pair",
      "{name: one, exactly: {deviceClassName: gpu.example.com}}, {name: either, firstAvailable: "
      "[{name: two, deviceClassName: gpu.example.com, count: 2}, {name: three, deviceClassName: "
      "gpu.example.com, count: 3}]}, {name: all, exactly: {deviceClassName: gpu.example.com, "
      "allocationMode: All}}"));
  cluster.Apply(
      Job({.name = "train", .pod = kClaims, .spec = "  parallelism: 2\n  completions: 2\n"}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "76");  // 2 × (1 + 2 + 3 + 32)
}

TEST(ProposalDevices, Rule6AMissingTemplateIsReportedAndAwaited) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(Job({.name = "train", .pod = kClaims}));
  cluster.Await("a reason to wait",
                [&] { return !cluster.PendingReason("Job team/train").empty(); });
  cluster.AwaitIdle();
  EXPECT_THAT(json::Print(*cluster.Find("Workload team/" +
                                        cluster.WorkloadOf("Job team/train")->metadata.name)),
              HasSubstr("ResourceClaimTemplate \\\"pair\\\""));
  cluster.Apply(Template("pair", 1));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "1");
}

TEST(ProposalDevices, Rule8ARecreatedTemplateIsReadAgainWhileTheJobIsPending) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(Template("pair", 1));
  cluster.Apply(Job({.name = "runs", .pod = kClaims}));
  cluster.AwaitRunning("Job team/runs");
  cluster.Delete("ResourceClaimTemplate team/pair");
  cluster.Apply(Template("pair", 5));
  cluster.Apply(Job({.name = "waits", .pod = kClaims}));
  cluster.AwaitPending("Job team/waits", "ExceedsMaxQuota");
  cluster.Delete("ResourceClaimTemplate team/pair");
  cluster.Apply(Template("pair", 1));
  cluster.AwaitRunning("Job team/waits");
  EXPECT_EQ(GpusOf(cluster, "Job team/runs"), "1");
  EXPECT_EQ(GpusOf(cluster, "Job team/waits"), "1");
}

TEST(ProposalDevices, WhileTheGateIsOffTheFieldsAreAcceptedAndNothingIsCounted) {
  LiveCluster cluster = StartCluster();
  Equip(cluster);
  EXPECT_EQ(cluster.TryApply(DeviceQueue("other", "tpu.example.com")).refusal, "");
  cluster.Apply(Template("pair", 5));
  cluster.Apply(Job({.name = "train", .pod = kClaims}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "none");
}

TEST(ProposalDevices, Rule6AnUnmappedClassIsNamed) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(TemplateOf("pair", "{name: gpu, exactly: {deviceClassName: nic.example.com}}"));
  cluster.Apply(Job({.name = "train", .pod = kClaims}));
  cluster.AwaitPending("Job team/train", "Misconfigured");
  cluster.Await("a message with the class", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload && schema::Encode(*workload).find("nic.example.com") != std::string::npos;
  });
}

std::string ClassWith(std::string_view extended_resource) {
  return "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.example.com}\n"
         "spec: {extendedResourceName: " +
         std::string(extended_resource) + "}\n";
}

TEST(ProposalDevices, Rule7SelectorsAreNotEvaluated) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(TemplateOf(
      "pair",
      "{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2, selectors: [{cel: "
      "{expression: 'device.driver == \"none.example.com\"'}}]}}"));
  cluster.Apply(Job({.name = "train", .pod = kClaims}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "2");
}

TEST(ProposalDevices, Rule7ExtendedResourcesOfAClassAreItsDevices) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  // No warning of an uncovered resource: a class may make it countable.
  EXPECT_THAT(
      cluster.TryApply(Job({.name = "train", .requests = "cpu: 1, example.com/gpu: 2"})).warnings,
      ::testing::IsEmpty());
  cluster.AwaitPending("Job team/train", "NoMatchingFlavor");
  cluster.Apply(ClassWith("example.com/gpu"));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "2");
  // A workload keeps its charge when the class changes; others wait.
  cluster.Apply(ClassWith("example.com/other"));
  cluster.Apply(Job({.name = "next", .requests = "cpu: 1, example.com/gpu: 1"}));
  cluster.AwaitPending("Job team/next", "NoMatchingFlavor");
  EXPECT_EQ(GpusOf(cluster, "Job team/train"), "2");
}

TEST(ProposalDevices, Rule7ExtendedResourcesOfADeletedClassAreUndeclared) {
  LiveCluster cluster = StartWithDevices();
  Equip(cluster);
  cluster.Apply(ClassWith("example.com/gpu"));
  cluster.Apply(Job({.name = "runs", .requests = "cpu: 1, example.com/gpu: 2"}));
  cluster.AwaitRunning("Job team/runs");
  cluster.Apply(Job({.name = "waits", .requests = "cpu: 1, example.com/gpu: 1"}));
  cluster.AwaitPending("Job team/waits", "WaitingForQuota");
  cluster.Delete("DeviceClass gpu.example.com");
  cluster.AwaitPending("Job team/waits", "NoMatchingFlavor");
  EXPECT_EQ(GpusOf(cluster, "Job team/runs"), "2");
}

}  // namespace
}  // namespace berth::embedded
