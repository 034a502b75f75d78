// Jobs with real pods: the Job controller creates them, the scheduler binds them, and kwok runs
// them on simulated nodes until completion.

#include <algorithm>

#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::cluster {
namespace {

using embedded::testing::Job;
using embedded::testing::LiveCluster;
using embedded::testing::StartCluster;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::SizeIs;

std::string Node(std::string_view name, std::string_view pool) {
  const std::string resources = R"({"cpu": "8", "memory": "32Gi", "pods": "110"})";
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + std::string(name) +
         R"(", "labels": {"pool": ")" + std::string(pool) + R"(", "kubernetes.io/hostname": ")" +
         std::string(name) + R"("}}, "status": {"capacity": )" + resources +
         R"(, "allocatable": )" + resources + "}}";
}

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
  cluster.Create(Node("reserved-1", "reserved"));
  cluster.Create(Node("spot-1", "spot"));
  cluster.Apply(kQueues);
}

bool HasCondition(LiveCluster& cluster, std::string_view object, std::string_view type) {
  const auto tree = cluster.Find(object);
  const json::value* conditions = tree ? json::Find(*tree, {"status", "conditions"}) : nullptr;
  if (conditions == nullptr) return false;
  for (const json::value& condition : conditions->get_array())
    if (json::StringAt(condition, {"type"}) == type &&
        json::StringAt(condition, {"status"}) == "True")
      return true;
  return false;
}

void AwaitComplete(LiveCluster& cluster, const std::string& job) {
  cluster.Await(job + " completes", [&] { return HasCondition(cluster, job, "Complete"); });
}

std::vector<json::value> PodsOf(const std::string& job) {
  std::vector<json::value> pods;
  const auto list = ControlPlane::Get().Do(store::List{
      .resource =
          {.group = "", .version = "v1", .plural = "pods", .kind = "Pod", .is_namespaced = true},
      .selection = {.label_selector = "job-name=" + job}});
  if (!list) return pods;
  for (const store::Object& pod : list->items) pods.push_back(*json::Parse(pod.text()));
  return pods;
}

// The nodes of a job's pods.
std::vector<std::string> NodesOf(const std::string& job) {
  std::vector<std::string> nodes;
  for (const json::value& pod : PodsOf(job))
    nodes.emplace_back(json::StringAt(pod, {"spec", "nodeName"}));
  return nodes;
}

ptrdiff_t CountGated(const std::string& job) {
  return std::ranges::count_if(PodsOf(job), [](const json::value& pod) {
    const json::value* gates = json::Find(pod, {"spec", "schedulingGates"});
    return gates != nullptr && !gates->get_array().empty();
  });
}

LiveCluster StartOnNodes(std::string_view configuration = "") {
  return StartCluster(configuration, embedded::SimulationSettings());
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
