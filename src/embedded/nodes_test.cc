// Pods on simulated nodes, end to end: where they run, and what happens to them when nodes fail.

#include <memory>

#include "embedded/testing/live_test.h"
#include "json/path.h"

namespace berth::embedded {
namespace {

using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::StartCluster;
using testing::Team;

// Nodes with room for two pods each.
api::Node Machine(const std::string& name, const std::string& rack) {
  api::Node node;
  node.metadata.name = name;
  node.metadata.labels.Set("rack", rack);
  node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(2));
  node.status.allocatable.Set("pods", quantity::Quantity::FromInt(110));
  api::CoreCondition& ready = node.status.conditions.emplace_back();
  ready.type = "Ready";
  ready.status = "True";
  return node;
}

LiveCluster StartWith(std::vector<api::Node> nodes,
                      base::Duration run_time = base::Duration::Seconds(3600)) {
  LiveCluster cluster = StartCluster(
      "",
      SimulationSettings{.run_time = run_time,
                         .start_time = base::Duration::Milliseconds(1),
                         .nodes = std::make_shared<const std::vector<api::Node>>(std::move(nodes)),
                         .eviction_delay = base::Duration::Milliseconds(1)});
  return cluster;
}

std::string PodYaml(const std::string& name, const std::string& spec = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", namespace: team}\nspec: {restartPolicy: Never, " + spec +
         "containers: [{name: c, image: example.com/c, resources: {requests: {cpu: 1}}}]}\n";
}

std::string At(LiveCluster& cluster, const std::string& object, const std::string& path) {
  const auto found = cluster.Find(object);
  return found ? json::TextAt(*found, path) : "gone";
}

void AwaitNode(LiveCluster& cluster, const std::string& pod, const std::string& node) {
  cluster.Await(pod + " runs on " + node, [&] {
    return At(cluster, pod, "spec.nodeName") == node &&
           At(cluster, pod, "status.phase") == "Running";
  });
}

// "True", "False" or "Unknown".
void SetReady(LiveCluster& cluster, const std::string& node, const std::string& status) {
  cluster.Patch("Node " + node,
                R"({"status": {"conditions": [{"type": "Ready", "status": ")" + status + "\"}]}}",
                "status");
}

TEST(SimulatedNodes, RegisterWithTheirResources) {
  LiveCluster cluster = StartWith({Machine("a", "r1"), Machine("b", "r2")});
  cluster.Await("both are ready", [&] {
    return At(cluster, "Node a", "status.conditions[0].status") == "True" &&
           At(cluster, "Node b", "status.allocatable.cpu") == "2" &&
           At(cluster, "Node b", "metadata.labels[kubernetes.io/hostname]") == "b";
  });
}

TEST(SimulatedNodes, RunPodsWhereTheirSelectorAllows) {
  LiveCluster cluster = StartWith({Machine("a", "r1"), Machine("b", "r2")});
  cluster.Apply(Team("team", 100));
  cluster.Apply(PodYaml("p", "nodeSelector: {rack: r2}, "));
  cluster.Apply(PodYaml("q", "nodeSelector: {kubernetes.io/hostname: a}, "));
  AwaitNode(cluster, "Pod team/p", "b");
  AwaitNode(cluster, "Pod team/q", "a");
}

TEST(SimulatedNodes, BindAPodWhenRoomIsFreed) {
  LiveCluster cluster = StartWith({Machine("a", "r1")});
  cluster.Apply(Team("team", 100));
  for (const std::string name : {"p", "q"}) {
    cluster.Apply(PodYaml(name));
    AwaitNode(cluster, "Pod team/" + name, "a");
  }
  cluster.Apply(PodYaml("waits"));
  cluster.Await("the pod is unschedulable", [&] {
    return At(cluster, "Pod team/waits", "status.conditions[0].reason") == "Unschedulable";
  });
  EXPECT_THAT(At(cluster, "Pod team/waits", "status.conditions[0].message"),
              HasSubstr("1 are full"));
  cluster.Delete("Pod team/p");
  AwaitNode(cluster, "Pod team/waits", "a");
}

TEST(SimulatedNodes, LeaveGatedPodsAlone) {
  LiveCluster cluster = StartWith({Machine("a", "r1")});
  cluster.Apply(Team("team", 100));
  cluster.Apply(PodYaml("p", "schedulingGates: [{name: example.com/g}], "));
  cluster.Await("the pod is gated", [&] {
    return At(cluster, "Pod team/p", "status.conditions[0].reason") == "SchedulingGated";
  });
  cluster.Patch("Pod team/p", R"({"spec": {"schedulingGates": null}})");
  AwaitNode(cluster, "Pod team/p", "a");
}

TEST(SimulatedNodes, RunTheJobOfAQueueInPods) {
  LiveCluster cluster = StartWith({Machine("a", "r1")}, base::Duration::Milliseconds(100));
  cluster.Apply(Team("team", 100));
  cluster.Apply(
      testing::Job({.name = "train",
                    .spec = "  parallelism: 2\n  completions: 3\n  completionMode: Indexed\n"}));
  cluster.Await("the job completes",
                [&] { return At(cluster, "Job team/train", "status.succeeded") == "3"; });
  cluster.Await("its workload finishes", [&] {
    const auto workload = cluster.WorkloadOf("Job team/train");
    return workload && !cluster.IsRunning("Job team/train");
  });
}

// --- Failures ------------------------------------------------------------------------------------

// A ReplicaSet replaces the pod that it loses.
void StartSet(LiveCluster& cluster) {
  cluster.Apply(Team("team", 100));
  cluster.Apply(
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s, namespace: team}\nspec: "
      "{serviceName: s, selector: {matchLabels: {a: s}}, template: {metadata: {labels: {a: s}}, "
      "spec: {containers: [{name: c, image: example.com/c, resources: {requests: {cpu: 1}}}]}}}\n");
}

TEST(SimulatedNodeFailures, LoseTheirPodsToOthers) {
  LiveCluster cluster = StartWith({Machine("a", "r1")});
  StartSet(cluster);
  AwaitNode(cluster, "Pod team/s-0", "a");
  cluster.Apply("apiVersion: v1\nkind: Node\nmetadata: {name: b}\n");
  SetReady(cluster, "a", "False");
  AwaitNode(cluster, "Pod team/s-0", "b");
  EXPECT_EQ(At(cluster, "Node a", "spec.taints[0].key"), "node.kubernetes.io/not-ready");
  SetReady(cluster, "a", "True");
  cluster.Await("the taints are removed",
                [&] { return At(cluster, "Node a", "spec.taints[0].key") == ""; });
}

TEST(SimulatedNodeFailures, ThatAreDeletedLoseTheirPods) {
  LiveCluster cluster = StartWith({Machine("a", "r1"), Machine("b", "r2")});
  StartSet(cluster);
  AwaitNode(cluster, "Pod team/s-0", "a");
  cluster.Delete("Node a");
  AwaitNode(cluster, "Pod team/s-0", "b");
}

// Their finalizers keep them until then; a pod group, for instance, waits for the phase.
TEST(SimulatedNodeFailures, ThatAreDeletedEndTheirPods) {
  LiveCluster cluster = StartWith({Machine("a", "r1")});
  cluster.Apply(Team("team", 100));
  std::string pod = PodYaml("p");
  pod.replace(pod.find("namespace:"), 0, "finalizers: [example.com/f], ");
  cluster.Apply(pod);
  AwaitNode(cluster, "Pod team/p", "a");
  cluster.Delete("Node a");
  cluster.Await("the pod has failed",
                [&] { return At(cluster, "Pod team/p", "status.phase") == "Failed"; });
  EXPECT_NE(At(cluster, "Pod team/p", "metadata.deletionTimestamp"), "");
  cluster.Patch("Pod team/p", R"({"metadata": {"finalizers": null}})");
  cluster.Await("the pod is gone", [&] { return !cluster.Find("Pod team/p"); });
}

// The kubelet does not confirm the end of a pod that it cannot hear of.
TEST(SimulatedNodeFailures, ThatAreUnreachableKeepTheirPodsTerminating) {
  LiveCluster cluster = StartWith({Machine("a", "r1"), Machine("b", "r2")});
  StartSet(cluster);
  AwaitNode(cluster, "Pod team/s-0", "a");
  SetReady(cluster, "a", "Unknown");
  cluster.Await("the pod is being deleted",
                [&] { return At(cluster, "Pod team/s-0", "metadata.deletionTimestamp") != ""; });
  EXPECT_EQ(At(cluster, "Pod team/s-0", "status.phase"), "Running");
  SetReady(cluster, "a", "True");
  cluster.Await("another pod runs", [&] {
    return At(cluster, "Pod team/s-0", "metadata.deletionTimestamp") == "" &&
           At(cluster, "Pod team/s-0", "status.phase") == "Running";
  });
}

TEST(SimulatedNodeFailures, WithATaintNoExecuteLosePodsThatDoNotTolerateIt) {
  LiveCluster cluster = StartWith({Machine("a", "r1"), Machine("b", "r2")});
  StartSet(cluster);
  AwaitNode(cluster, "Pod team/s-0", "a");
  cluster.Patch("Node a", R"({"spec": {"taints": [{"key": "repair", "effect": "NoExecute"}]}})");
  AwaitNode(cluster, "Pod team/s-0", "b");
}

TEST(SimulatedSets, WithAbsurdReplicaCountsDoNotStopTheCluster) {
  LiveCluster cluster = StartWith({Machine("a", "r1")});
  cluster.Apply(Team("team", 100));
  cluster.Apply(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: team}\nspec: "
      "{replicas: 2147483647, selector: {matchLabels: {a: d}}, template: {metadata: {labels: {a: "
      "d}}, spec: {containers: [{name: c, image: example.com/c, resources: {requests: {cpu: "
      "1}}}]}}}\n");
  cluster.Await("two of its pods run",
                [&] { return At(cluster, "Deployment team/d", "status.readyReplicas") == "2"; });
  cluster.Apply(PodYaml("other", "nodeSelector: {rack: r9}, "));
  cluster.Await("other pods are served", [&] {
    return At(cluster, "Pod team/other", "status.conditions[0].reason") == "Unschedulable";
  });
}

}  // namespace
}  // namespace berth::embedded
