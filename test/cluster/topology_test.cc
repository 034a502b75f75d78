// Topology-aware scheduling with real pods: the Job controller creates them
// gated, the scheduler binds them to the nodes that they were assigned, and
// kwok runs them. An independent watcher checks that no node is ever overfull.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

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

constexpr std::string_view kWithSets =
    "integrations: {frameworks: [batch/job, pod, statefulset]}\n";

size_t CountBound(const std::string& job) {
  size_t count = 0;
  for (const auto& [node, pods] : BoundPodsOf(job)) count += pods;
  return count;
}

void AwaitBound(LiveCluster& cluster, const std::string& job, size_t count) {
  cluster.Await(job + " is bound", [&] { return CountBound(job) == count; });
}

// Deletes a node and, as Kubernetes does after a while, its pods, unless they were deleted already.
void Kill(LiveCluster& cluster, const std::string& node, const std::string& job) {
  cluster.Delete("Node " + node);
  for (const json::value& pod : PodsOf(job))
    if (json::StringAt(pod, {"spec", "nodeName"}) == node)
      (void)ControlPlane::Get().Do(
          store::Delete{.resource = ResourceOfObject(pod),
                        .namespace_ = "team",
                        .name = std::string(json::StringAt(pod, {"metadata", "name"}))});
}

// The racks of the nodes that the pods are bound to.
std::set<char> RacksOf(const std::string& job) {
  std::set<char> racks;
  for (const auto& [node, pods] : BoundPodsOf(job)) racks.insert(node[0]);
  return racks;
}

// Waits until all four pods are bound to other nodes.
void AwaitReplaced(LiveCluster& cluster, const std::string& lost) {
  cluster.Await("all pods are bound to other nodes",
                [&] { return CountBound("serve") == 4 && !BoundPodsOf("serve").contains(lost); });
}

TEST(TopologyOnNodes, ThePodsOfAKilledNodeGetAnotherNodeOfTheirRack) {
  LiveCluster cluster = StartOnNodes(kWithSets);
  NodeWatcher watcher = Equip(cluster, 3);
  cluster.Apply(kRackSet);
  AwaitBound(cluster, "serve", 4);
  const std::set<char> racks = RacksOf("serve");
  const auto before = BoundPodsOf("serve");
  ASSERT_THAT(before, SizeIs(2));
  Kill(cluster, before.begin()->first, "serve");
  AwaitReplaced(cluster, before.begin()->first);
  EXPECT_EQ(RacksOf("serve"), racks);
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

// Other jobs may take the rest of the rack first: then the set moves as a whole.
TEST(TopologyOnNodes, ANodeKilledUnderLoadLeavesNoPodWithoutAPlace) {
  LiveCluster cluster = StartOnNodes(kWithSets);
  NodeWatcher watcher = Equip(cluster, 3);
  cluster.Apply(kRackSet);
  AwaitBound(cluster, "serve", 4);
  const std::string lost = BoundPodsOf("serve").begin()->first;
  std::vector<std::string> jobs;
  for (int i = 0; i < 20; ++i)
    cluster.Apply(RackJob(jobs.emplace_back("j" + std::to_string(i)), 2));
  Kill(cluster, lost, "serve");
  AwaitReplaced(cluster, lost);
  EXPECT_THAT(RacksOf("serve"), SizeIs(1));
  for (const std::string& job : jobs) AwaitComplete(cluster, "Job team/" + job);
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

TEST(TopologyOnNodes, ANodeKilledInAFullRackEvictsItsWorkloadToAnother) {
  LiveCluster cluster = StartOnNodes(kWithSets);
  NodeWatcher watcher = Equip(cluster, 2);
  cluster.Apply(kRackSet);
  AwaitBound(cluster, "serve", 4);
  const auto before = BoundPodsOf("serve");
  const std::string name = cluster.WorkloadOf("StatefulSet team/serve")->metadata.name;
  const std::string lost = before.begin()->first;
  Kill(cluster, lost, "serve");
  cluster.Await("the workload is evicted",
                [&] { return cluster.EventCount(name, "EvictedDueToNodeFailures") == 1; });
  cluster.Await("all pods are bound in the other rack",
                [&] { return CountBound("serve") == 4 && !RacksOf("serve").contains(lost[0]); });
  EXPECT_THAT(watcher.Stop(), IsEmpty());
}

}  // namespace
}  // namespace berth::cluster
