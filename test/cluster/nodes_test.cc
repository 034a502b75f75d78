// Jobs with real pods: the Job controller creates them, the scheduler binds them, and kwok runs
// them on simulated nodes until completion.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/control_plane.h"
#include "cluster/real_pods.h"
#include "json/path.h"

namespace berth::cluster {
namespace {

using embedded::testing::Job;
using embedded::testing::LiveCluster;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::SizeIs;

constexpr std::string_view kQueues = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: reserved}
spec: {nodeLabels: {pool: reserved}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec: {nodeLabels: {pool: spot}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: reserved, resources: [{name: cpu, nominalQuota: 2}]}
    - {name: spot, resources: [{name: cpu, nominalQuota: 1}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: team}
)";

void Equip(LiveCluster& cluster) {
  cluster.Create(Node({.name = "reserved-1", .labels = R"("pool": "reserved")"}));
  cluster.Create(Node({.name = "spot-1", .labels = R"("pool": "spot")"}));
  cluster.Apply(kQueues);
}

TEST(OnNodes, AnAdmittedJobRunsOnTheNodesOfItsFlavorAndFinishes) {
  LiveCluster cluster = StartOnNodes();
  Equip(cluster);
  cluster.Apply(Job(
      {.name = "train", .requests = "cpu: 500m", .spec = "  parallelism: 3\n  completions: 3\n"}));
  AwaitComplete(cluster, "Job team/train");
  EXPECT_THAT(NodesOf("train"), AllOf(SizeIs(3), Each("reserved-1")));
  cluster.Await("its Workload is finished", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload &&
           HasCondition(cluster, "Workload team/" + workload->metadata.name, "Finished");
  });
}

TEST(OnNodes, JobsOverflowToTheNextFlavorAndThenArePending) {
  LiveCluster cluster = StartOnNodes();
  Equip(cluster);
  // Its pods cannot be bound, so that it keeps its quota.
  cluster.Apply(
      Job({.name = "stuck", .requests = "cpu: 2", .pod = "nodeSelector: {missing: label},"}));
  cluster.AwaitRunning("Job team/stuck");
  cluster.Apply(Job({.name = "second"}));
  AwaitComplete(cluster, "Job team/second");
  EXPECT_THAT(NodesOf("second"), AllOf(SizeIs(1), Each("spot-1")));
  cluster.Apply(Job({.name = "large", .requests = "cpu: 2"}));
  cluster.AwaitPending("Job team/large", "WaitingForQuota");
  EXPECT_THAT(NodesOf("large"), SizeIs(0));
  cluster.Delete("Job team/stuck");
  AwaitComplete(cluster, "Job team/large");
}

TEST(OnNodes, APreemptedJobLosesItsPodsAndIsRestarted) {
  LiveCluster cluster = StartOnNodes();
  Equip(cluster);
  cluster.Patch("ClusterQueue team",
                R"({"spec": {"preemption": {"withinClusterQueue": "LowerPriority"}}})");
  cluster.Apply(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: "
      "high}\nvalue: 100\n");
  cluster.Apply(Job({.name = "low", .requests = "cpu: 2", .pod = "nodeSelector: {disk: fast},"}));
  cluster.AwaitRunning("Job team/low");
  cluster.Await("its pod", [&] { return NodesOf("low").size() == 1; });
  cluster.Apply(
      Job({.name = "high", .requests = "cpu: 2", .labels = "kueue.x-k8s.io/priority-class: high"}));
  AwaitComplete(cluster, "Job team/high");
  cluster.Patch("Node reserved-1", R"({"metadata": {"labels": {"disk": "fast"}}})");
  AwaitComplete(cluster, "Job team/low");
}

TEST(OnNodes, AGrowingJobGetsMorePodsWhenItsNewSliceIsAdmitted) {
  LiveCluster cluster = StartOnNodes();
  Equip(cluster);
  cluster.Apply(Job({.name = "train",
                     .annotations = "kueue.x-k8s.io/elastic-job: 'true'",
                     .pod = "nodeSelector: {disk: fast},",
                     .spec = "  completions: 3\n"}));
  cluster.AwaitRunning("Job team/train");
  cluster.Await("its pod may go",
                [] { return PodsOf("train").size() == 1 && CountGated("train") == 0; });
  cluster.Patch("Job team/train", R"({"spec": {"parallelism": 3}})");
  cluster.Await("two more are held back",
                [] { return PodsOf("train").size() == 3 && CountGated("train") == 2; });
  cluster.AwaitIdle();
  EXPECT_EQ(CountGated("train"), 2);
  cluster.Patch("ClusterQueue team", R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"],
      "flavors": [{"name": "reserved", "resources": [{"name": "cpu", "nominalQuota": 3}]}]}]}})");
  cluster.Await("all may go", [] { return CountGated("train") == 0; });
  cluster.Patch("Node reserved-1", R"({"metadata": {"labels": {"disk": "fast"}}})");
  AwaitComplete(cluster, "Job team/train");
}

TEST(OnNodes, APlainPodIsGatedUntilItIsAdmitted) {
  LiveCluster cluster = StartOnNodes("integrations: {frameworks: [pod]}\n");
  Equip(cluster);
  cluster.Apply(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: lone, namespace: team, labels: "
      "{kueue.x-k8s.io/queue-name: main}}\nspec: {containers: [{name: c, image: example.com/c, "
      "resources: {requests: {cpu: 1}}}]}\n");
  cluster.Await("the pod is bound to a node of its flavor", [&] {
    const auto pod = cluster.Find("Pod team/lone");
    return pod && json::StringAt(*pod, {"spec", "nodeName"}) == "reserved-1";
  });
}

TEST(OnNodes, AClaimIsCreatedFromItsTemplateAndCountsOnce) {
  LiveCluster cluster = StartOnNodes("featureGates: {KueueDynamicResourceAllocation: true}\n");
  Equip(cluster);
  cluster.Apply(R"(
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: pair, namespace: team}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu, gpus]
    flavors:
    - name: reserved
      resources:
      - {name: cpu, nominalQuota: 2}
      - {name: gpus, nominalQuota: 3, kind: DeviceClass, deviceClassNames: [gpu.example.com]}
)");
  const std::string claims = "resourceClaims: [{name: gpu, resourceClaimTemplateName: pair}],";
  cluster.Apply(Job({.name = "first", .pod = claims}));
  cluster.AwaitRunning("Job team/first");
  cluster.Await("the claim of its pod", [] {
    const auto claims_made =
        ControlPlane::Get().Do(store::List{.resource = {.group = "resource.k8s.io",
                                                        .version = "v1",
                                                        .plural = "resourceclaims",
                                                        .kind = "ResourceClaim",
                                                        .is_namespaced = true},
                                           .selection = {}});
    return claims_made && claims_made->items.size() == 1;
  });
  cluster.Apply(Job({.name = "second", .pod = claims}));
  cluster.AwaitPending("Job team/second", "WaitingForQuota");
  EXPECT_TRUE(cluster.IsRunning("Job team/first"));
}

}  // namespace
}  // namespace berth::cluster
