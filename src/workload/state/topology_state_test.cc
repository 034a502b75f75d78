// Nodes, topologies and placements in the cluster state.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/topology_assignment.h"
#include "workload/convert/convert_admission.h"
#include "workload/convert/convert_topology.h"
#include "workload/state/cluster_state.h"
#include "workload/testing/apply_yaml.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

constexpr std::string_view kTopology = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hosts}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {nodeLabels: {pool: tas}, topologyName: hosts}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: f, resources: [{name: cpu, nominalQuota: 40}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";

std::string Node(std::string_view name, std::string_view more = "") {
  return "\napiVersion: v1\nkind: Node\nmetadata: {name: " + std::string(name) +
         ", labels: {pool: tas, rack: r1, kubernetes.io/hostname: " + std::string(name) +
         "}}\nspec: {" + std::string(more) +
         "}\nstatus: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "
         "\"True\"}]}\n";
}

std::string Workload(std::string_view status = "{}") {
  return "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w, namespace: "
         "team, "
         "uid: w}\nspec:\n  queueName: main\n  podSets:\n  - name: main\n    count: 3\n    "
         "topologyRequest: {required: kubernetes.io/hostname}\n    template: {spec: {containers: "
         "[{name: c, image: c, resources: {requests: {cpu: 1}}}]}}\nstatus: " +
         std::string(status) + "\n";
}

struct Cluster {
  explicit Cluster(bool topology = true)
      : state(api::Configuration{}, api::FeatureGates{}, {.topology = topology}) {
    Change(kTopology);
  }
  void Change(std::string_view yaml) {
    testing::ApplyYaml(yaml, state);
    state.Sync(kNow);
  }
  engine::Engine& engine() { return state.engine(); }
  engine::Outcome Decide() {
    const auto decisions = engine().RunCycle(kNow);
    EXPECT_THAT(decisions, SizeIs(1));
    return decisions.empty() ? engine::Outcome::kNoFit : decisions[0].outcome;
  }
  // "n1:3", or "" without a placement.
  std::string Placement() {
    const api::Workload& workload = *state.FindWorkload("team/w");
    const api::Admission admission = ToAdmission(engine(), engine().FindWorkload("w"), workload);
    std::string text;
    if (!admission.pod_set_assignments[0].topology_assignment) return text;
    for (const api::TopologyDomain& domain :
         UnpackTopologyAssignment(*admission.pod_set_assignments[0].topology_assignment))
      text += domain.values.back() + ":" + std::to_string(domain.count);
    return text;
  }

  ClusterState state;
};

TEST(TopologyState, AFlavorWithATopologyHasQuotaAloneUnlessNodesAreFollowed) {
  Cluster cluster(/*topology=*/false);
  cluster.Change(Workload());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kAdmitted);
  EXPECT_EQ(cluster.Placement(), "");
}

TEST(TopologyState, ANewNodeRequeuesWorkloadsThatHaveNoPlace) {
  Cluster cluster;
  cluster.Change(Workload());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kNoFit);
  const engine::NodeId queue = cluster.engine().FindClusterQueue("q");
  EXPECT_THAT(cluster.engine().InadmissibleIn(queue), SizeIs(1));
  cluster.Change(Node("n1"));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kAdmitted);
  EXPECT_EQ(cluster.Placement(), "n1:3");
}

TEST(TopologyState, TaintedAndCordonedNodesAreLeftOut) {
  Cluster cluster;
  cluster.Change(Node("n1", "taints: [{key: broken, effect: NoSchedule}]"));
  cluster.Change(Node("n2", "unschedulable: true"));
  cluster.Change(Node("n3", "taints: [{key: full, effect: PreferNoSchedule}]"));
  cluster.Change(Workload());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kAdmitted);
  EXPECT_EQ(cluster.Placement(), "n3:3");
}

TEST(TopologyState, PodsOnANodeTakeRoomUntilTheyEnd) {
  Cluster cluster;
  const auto pod = [](std::string_view phase) {
    return "\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec: {nodeName: "
           "n1, "
           "containers: [{name: c, image: c, resources: {requests: {cpu: 2}}}]}\nstatus: {phase: " +
           std::string(phase) + "}\n";
  };
  cluster.Change(Node("n1"));
  cluster.Change(pod("Pending"));
  cluster.Change(Workload());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kNoFit);
  cluster.Change(pod("Succeeded"));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kAdmitted);
}

constexpr std::string_view kAdmitted = R"({conditions: [
  {type: QuotaReserved, status: "True", reason: R, message: "", lastTransitionTime: "2024-05-01T12:00:00Z"},
  {type: Admitted, status: "True", reason: R, message: "", lastTransitionTime: "2024-05-01T12:00:00Z"}],
  unhealthyNodes: [{name: n1}],
  admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 3, flavors: {cpu: f},
    resourceUsage: {cpu: 3}, topologyAssignment: {levels: [kubernetes.io/hostname], slices: [
      {domainCount: 1, valuesPerLevel: [{universal: n1}], podCounts: {universal: 3}}]}}]}})";

TEST(TopologyState, PodsOfAFailedNodeMove) {
  Cluster cluster;
  cluster.Change(Node("n1", "unschedulable: true") + "---" + Node("n2"));
  cluster.Change(Workload(kAdmitted));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kPlaced);
  EXPECT_EQ(cluster.Placement(), "n2:3");
  EXPECT_TRUE(cluster.engine().RunCycle(kNow).empty());  // done
}

TEST(TopologyState, AWorkloadIsEvictedIfTheFailedNodeHasNoReplacement) {
  Cluster cluster;
  cluster.Change(Node("n1", "unschedulable: true"));
  cluster.Change(Workload(kAdmitted));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kEvicted);
}

TEST(TopologyConversion, ReadsTheFlatDomainsOfOlderVersions) {
  Cluster cluster;
  const api::TopologyAssignment flat{
      .levels = {"rack", "kubernetes.io/hostname"},
      .slices = {},
      .previous_domains = {{.values = {"r1", "n1"}, .count = 2, .extra = {}}},
      .extra = {}};
  const std::string host = "n1";
  EXPECT_THAT(ToDomains(flat, cluster.engine()),
              ElementsAre(engine::DomainPods{cluster.engine().DomainPath({&host, 1}), 2}));
}

}  // namespace
}  // namespace berth::workload
