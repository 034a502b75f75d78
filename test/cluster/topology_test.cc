// Topology-aware scheduling with real pods: the Job controller creates them
// gated, the scheduler binds them to the nodes that they were assigned, and
// kwok runs them. An independent watcher checks that no node is ever overfull.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/core/node.h"
#include "api/kueue/topology_assignment.h"
#include "api/meta/object.h"
#include "cluster/control_plane.h"
#include "cluster/node_watcher.h"
#include "cluster/real_pods.h"
#include "json/path.h"
#include "schema/thread_decoder.h"

namespace berth::cluster {
namespace {

using embedded::testing::Job;
using embedded::testing::LiveCluster;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kQueues = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: example.com/rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: racked}
spec: {nodeLabels: {pool: racked}, topologyName: racks}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: racked, resources: [{name: cpu, nominalQuota: 100}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: team}
)";

// Nodes "rack-host" of two CPUs: a-1, a-2, …, b-1, …, watched.
NodeWatcher Equip(LiveCluster& cluster, int hosts_per_rack) {
  std::vector<api::Object> nodes;
  for (const std::string rack : {"a", "b"}) {
    for (int host = 1; host <= hosts_per_rack; ++host) {
      const std::string node =
          Node({.name = rack + "-" + std::to_string(host),
                .labels = R"("pool": "racked", "example.com/rack": ")" + rack + "\"",
                .cpu = "2"});
      cluster.Create(node);
      api::Object& known = nodes.emplace_back(api::Node::KindInfo());
      EXPECT_TRUE(schema::ThreadDecoder().Decode(node, known.kind(), known.value()).empty());
    }
  }
  cluster.Apply(kQueues);
  return NodeWatcher(ControlPlane::Get().store(), nodes);
}

// A job whose pods take a CPU each and must share a rack.
std::string RackJob(std::string_view name, int pods) {
  const std::string count = std::to_string(pods);
  return R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"namespace": "team", "name": ")" +
         std::string(name) +
         R"(", "labels": {"kueue.x-k8s.io/queue-name": "main"}},
    "spec": {"parallelism": )" +
         count + R"(, "completions": )" + count +
         R"(, "completionMode": "Indexed",
      "template": {"metadata": {"annotations": {
          "kueue.x-k8s.io/podset-required-topology": "example.com/rack"}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "example.com/c",
          "resources": {"requests": {"cpu": "1"}}}]}}}})";
}

// Its pods run until they are deleted.
constexpr std::string_view kRackSet =
    R"({"apiVersion": "apps/v1", "kind": "StatefulSet",
    "metadata": {"namespace": "team", "name": "serve", "labels": {"kueue.x-k8s.io/queue-name": "main"}},
    "spec": {"replicas": 4, "serviceName": "serve", "podManagementPolicy": "Parallel",
      "selector": {"matchLabels": {"job-name": "serve"}},
      "template": {"metadata": {"labels": {"job-name": "serve"}, "annotations": {
          "kueue.x-k8s.io/podset-required-topology": "example.com/rack"}},
        "spec": {"terminationGracePeriodSeconds": 0, "containers": [{"name": "c",
          "image": "example.com/c", "resources": {"requests": {"cpu": "1"}}}]}}}})";

// The pods that each node was assigned.
std::map<std::string, int> AssignmentOf(LiveCluster& cluster, const std::string& job) {
  std::map<std::string, int> assigned;
  const auto workload = cluster.WorkloadOf("Job team/" + job);
  if (!workload || !workload->status.admission) return assigned;
  for (const auto& pods : workload->status.admission->pod_set_assignments)
    if (pods.topology_assignment)
      for (const auto& domain : api::UnpackTopologyAssignment(*pods.topology_assignment))
        assigned[domain.values.back()] += domain.count;
  return assigned;
}

std::map<std::string, int> BoundPodsOf(const std::string& job) {
  std::map<std::string, int> bound;
  for (const std::string& node : NodesOf(job))
    if (!node.empty()) ++bound[node];
  return bound;
}

TEST(TopologyOnNodes, PodsRunOnTheNodesThatTheirWorkloadWasAssigned) {
  LiveCluster cluster = StartOnNodes();
  NodeWatcher watcher = Equip(cluster, 2);
  cluster.Apply(RackJob("train", 4));
  cluster.AwaitRunning("Job team/train");
  const auto assigned = AssignmentOf(cluster, "train");
  EXPECT_THAT(assigned, SizeIs(2));
  AwaitComplete(cluster, "Job team/train");
  EXPECT_EQ(BoundPodsOf("train"), assigned);
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

TEST(TopologyOnNodes, AJobThatFitsNoRackWaitsUntilOneIsFree) {
  LiveCluster cluster = StartOnNodes();
  NodeWatcher watcher = Equip(cluster, 1);
  const std::vector<std::string> jobs = {"first", "second", "third", "fourth"};
  for (const std::string& job : jobs) cluster.Apply(RackJob(job, 2));
  cluster.Apply(RackJob("large", 3));
  cluster.AwaitPending("Job team/large", "TopologyPlacementFailed");
  for (const std::string& job : jobs) AwaitComplete(cluster, "Job team/" + job);
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

TEST(TopologyOnNodes, ThePodsOfADeletedNodeGetAnotherNodeOfTheirRack) {
  LiveCluster cluster = StartOnNodes("integrations: {frameworks: [batch/job, pod, statefulset]}\n");
  NodeWatcher watcher = Equip(cluster, 3);
  cluster.Apply(kRackSet);
  const auto count = [] {
    size_t bound = 0;
    for (const auto& [node, pods] : BoundPodsOf("serve")) bound += pods;
    return bound;
  };
  cluster.Await("all pods are bound", [&] { return count() == 4; });
  const auto before = BoundPodsOf("serve");
  ASSERT_THAT(before, SizeIs(2));
  const std::string lost = before.begin()->first;
  cluster.Delete("Node " + lost);
  for (const json::value& pod : PodsOf("serve"))  // as Kubernetes does after a while
    if (json::StringAt(pod, {"spec", "nodeName"}) == lost)
      cluster.Delete("Pod team/" + std::string(json::StringAt(pod, {"metadata", "name"})));
  cluster.Await("all pods are bound to other nodes", [&] {
    const auto bound = BoundPodsOf("serve");
    return count() == 4 && !bound.contains(lost);
  });
  for (const auto& [node, pods] : BoundPodsOf("serve")) EXPECT_EQ(node[0], lost[0]) << "the rack";
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

}  // namespace
}  // namespace berth::cluster
