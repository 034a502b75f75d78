// Extended resources of DeviceClasses that the Configuration maps, with Kueue's gates.

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using testing::LiveCluster;
using testing::StartCluster;

constexpr std::string_view kMapping =
    "resources: {deviceClassMappings: [{name: gpu-claims, deviceClassNames: [gpu.example.com]}]}\n";

constexpr std::string_view kQueueOfClaims = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: standard}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [gpu-claims]
    flavors: [{name: standard, resources: [{name: gpu-claims, nominalQuota: 8}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: team}
)";

// A Workload without a job.
std::string Requesting(std::string_view name, std::string_view resource, int count) {
  const std::string amount = "{" + std::string(resource) + ": " + std::to_string(count) + "}";
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: team, name: " +
         std::string(name) +
         "}\nspec: {queueName: main, podSets: [{name: main, count: 1, template: {spec: "
         "{containers: [{name: c, image: i, resources: {requests: " +
         amount + ", limits: " + amount + "}}]}}}]}\n";
}

std::string GpuClass(std::string_view spec) {
  return "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.example.com}\n"
         "spec: " +
         std::string(spec) + "\n";
}

constexpr std::string_view kGpu = "{extendedResourceName: example.com/gpu}";
constexpr std::string_view kOther = "{extendedResourceName: example.com/other}";

// The amount of gpu-claims that a Workload holds; "none" without quota.
std::string ClaimsOf(LiveCluster& cluster, std::string_view name) {
  const auto workload = cluster.FindWorkload("team/" + std::string(name));
  if (!workload || !workload->status.admission) return "none";
  const auto& usage = workload->status.admission->pod_set_assignments.at(0).resource_usage;
  const auto* claims = usage.Find("gpu-claims");
  return claims == nullptr ? "other" : claims->ToString();
}

void AwaitClaims(LiveCluster& cluster, std::string_view name, std::string_view amount) {
  cluster.Await(std::string(name) + " holds " + std::string(amount),
                [&] { return ClaimsOf(cluster, name) == amount; });
}

std::string WhyWithoutQuota(LiveCluster& cluster, std::string_view name) {
  const auto workload = cluster.FindWorkload("team/" + std::string(name));
  const auto* quota =
      workload ? api::FindCondition(workload->status.conditions, "QuotaReserved") : nullptr;
  return quota == nullptr || quota->status == "True" ? "" : quota->message;
}

// The resource has no quota under its own name.
void AwaitUndeclared(LiveCluster& cluster, std::string_view name) {
  cluster.Await(std::string(name) + " waits for a DeviceClass", [&] {
    return WhyWithoutQuota(cluster, name).contains("example.com/gpu not declared");
  });
}

LiveCluster StartWithMapping() {
  LiveCluster cluster = StartCluster(kMapping);
  cluster.Apply(kQueueOfClaims);
  return cluster;
}

TEST(ExtendedResource, CountsOnceItsDeviceClassIsCreated) {
  LiveCluster cluster = StartWithMapping();
  cluster.Apply(Requesting("w", "example.com/gpu", 2));
  AwaitUndeclared(cluster, "w");
  cluster.Apply(GpuClass(kGpu));
  AwaitClaims(cluster, "w", "2");
}

TEST(ExtendedResource, CountsOnceItsDeviceClassNamesIt) {
  LiveCluster cluster = StartWithMapping();
  cluster.Apply(GpuClass("{}"));
  cluster.Apply(Requesting("w", "example.com/gpu", 2));
  AwaitUndeclared(cluster, "w");
  cluster.Apply(GpuClass(kGpu));
  AwaitClaims(cluster, "w", "2");
}

TEST(ExtendedResource, CountsNoLongerOnceItsDeviceClassNamesAnother) {
  LiveCluster cluster = StartWithMapping();
  cluster.Apply(GpuClass(kGpu));
  cluster.Apply(Requesting("fills", "example.com/gpu", 8));
  AwaitClaims(cluster, "fills", "8");
  cluster.Apply(Requesting("waits", "example.com/gpu", 2));
  cluster.Await("the second waits for quota",
                [&] { return WhyWithoutQuota(cluster, "waits").contains("gpu-claims short"); });
  cluster.Apply(GpuClass(kOther));
  AwaitUndeclared(cluster, "waits");
  EXPECT_EQ(ClaimsOf(cluster, "fills"), "8");
}

TEST(ExtendedResource, CountsNoLongerOnceItsDeviceClassIsDeleted) {
  LiveCluster cluster = StartWithMapping();
  cluster.Apply(GpuClass(kGpu));
  cluster.Apply(Requesting("runs", "example.com/gpu", 2));
  AwaitClaims(cluster, "runs", "2");
  cluster.Delete("DeviceClass gpu.example.com");
  cluster.AwaitIdle();
  cluster.Apply(Requesting("later", "example.com/gpu", 2));
  AwaitUndeclared(cluster, "later");
  EXPECT_EQ(ClaimsOf(cluster, "runs"), "2");
}

// Another controller takes the quota back, as an eviction does.
TEST(ExtendedResource, IsReadAgainWhenAWorkloadLosesItsQuota) {
  LiveCluster cluster = StartWithMapping();
  cluster.Apply(GpuClass(kGpu));
  cluster.Apply(Requesting("w", "example.com/gpu", 2));
  AwaitClaims(cluster, "w", "2");
  cluster.Delete("DeviceClass gpu.example.com");
  cluster.AwaitIdle();
  cluster.Patch("Workload team/w",
                R"({"status": {"admission": null, "conditions": [{"type": "QuotaReserved",
                    "status": "False", "reason": "Pending", "message": "taken back",
                    "lastTransitionTime": "2030-01-01T00:00:00Z"}]}})",
                "status");
  AwaitUndeclared(cluster, "w");
  EXPECT_EQ(ClaimsOf(cluster, "w"), "none");
}

}  // namespace
}  // namespace berth::embedded
