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

std::string Node(std::string_view name, std::string_view more = "", std::string_view cpu = "4") {
  return "\napiVersion: v1\nkind: Node\nmetadata: {name: " + std::string(name) +
         ", labels: {pool: tas, rack: r1, kubernetes.io/hostname: " + std::string(name) +
         "}}\nspec: {" + std::string(more) + "}\nstatus: {allocatable: {cpu: \"" +
         std::string(cpu) + "\", pods: 10}, conditions: [{type: Ready, status: \"True\"}]}\n";
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
  explicit Cluster(bool topology = true, const api::FeatureGates& gates = {})
      : state(api::Configuration{}, gates, {.topology = topology}) {
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

TEST(TopologyState, APartOfAUnitIsNoRoom) {
  Cluster cluster;
  cluster.Change(Workload());
  cluster.Change(Node("n1", "", "2.9999"));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kNoFit);
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

std::string OwnedByAPod() {
  std::string workload = Workload(kAdmitted);
  workload.replace(workload.find("uid: w"), 6,
                   "uid: w, ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p}]");
  return workload;
}

TEST(TopologyState, AWorkloadOfOnePodKeepsItsPlaceOnAFailedNode) {
  Cluster cluster;
  cluster.Change(Node("n1", "unschedulable: true") + "---" + Node("n2"));
  cluster.Change(OwnedByAPod());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kPlaced);
  EXPECT_EQ(cluster.Placement(), "n1:3");
}

TEST(TopologyState, AWorkloadOfOnePodMovesWithoutSkipReassignmentForPodOwnedWorkloads) {
  api::FeatureGates gates;
  gates.Set(api::Gate::kSkipReassignmentForPodOwnedWorkloads, false);
  Cluster cluster(/*topology=*/true, gates);
  cluster.Change(Node("n1", "unschedulable: true") + "---" + Node("n2"));
  cluster.Change(OwnedByAPod());
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kPlaced);
  EXPECT_EQ(cluster.Placement(), "n2:3");
}

TEST(TopologyState, OfNodesThatFailOneAfterTheOtherTheLastIsReplaced) {
  Cluster cluster;
  cluster.Change(Node("n1", "unschedulable: true") + "---" + Node("n2"));
  std::string first(kAdmitted);
  first.replace(first.find("name: n1"), 8, "name: n0");
  cluster.Change(Workload(first));
  cluster.Change(Workload(kAdmitted));
  EXPECT_EQ(cluster.Decide(), engine::Outcome::kPlaced);
  EXPECT_EQ(cluster.Placement(), "n2:3");
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
  EXPECT_THAT(ToDomains(flat, 2, cluster.engine()),
              ElementsAre(engine::DomainPods{cluster.engine().DomainPath({&host, 1}), 2}));
}

// --- Rounds --------------------------------------------------------------------------------------

ClusterStateOptions Rounds(int nodes, int pods) {
  return {
      .topology = true,
      .rounds = {.nodes = base::Duration::Seconds(nodes), .pods = base::Duration::Seconds(pods)}};
}

bool IsWaiting(const ClusterState& state) {
  const engine::Engine& engine = state.engine();
  return !engine.InadmissibleIn(engine.FindClusterQueue("q")).empty();
}

TEST(NodeRounds, RequeueAtOnceAndThenOnceAnInterval) {
  ClusterState state(api::Configuration{}, api::FeatureGates{}, Rounds(1, 10));
  testing::ApplyYaml(kTopology, state);
  testing::ApplyYaml(Workload(), state);
  const auto at = [](int milliseconds) {
    return kNow + base::Duration::Milliseconds(milliseconds);
  };
  const auto change = [&](std::string_view name, std::string_view cpu, int when) {
    testing::ApplyYaml(Node(name, "", cpu), state);
    state.Sync(at(when));
    state.engine().RunCycle(at(when));
  };
  state.Sync(kNow);
  state.engine().RunCycle(kNow);
  ASSERT_TRUE(IsWaiting(state));
  change("n1", "1", 0);
  EXPECT_EQ(state.next_round(), std::nullopt);
  change("n2", "4", 500);
  EXPECT_TRUE(IsWaiting(state)) << "within a second of the last round";
  EXPECT_TRUE(state.has_waiting_nodes());
  ASSERT_EQ(state.next_round(), at(1000));
  state.Sync(at(1000));
  state.engine().RunCycle(at(1000));
  EXPECT_FALSE(IsWaiting(state));
}

std::string Pod(std::string_view name, std::string_view more = "", std::string_view labels = "") {
  return "\napiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", namespace: team" + std::string(labels) +
         "}\nspec: {nodeName: n1, containers: [{name: c, image: c, resources: {requests: {cpu: "
         "2}}}]}"
         "\nstatus: {phase: Running" +
         std::string(more) + "}\n";
}

TEST(PodRounds, RequeueForRoomAndNotForItsLoss) {
  ClusterState state(api::Configuration{}, api::FeatureGates{}, Rounds(1, 10));
  testing::ApplyYaml(kTopology, state);
  testing::ApplyYaml(Node("n1"), state);
  testing::ApplyYaml(Pod("a") + "---" + Pod("b"), state);
  testing::ApplyYaml(Workload(), state);
  state.Sync(kNow);
  state.engine().RunCycle(kNow);
  ASSERT_TRUE(IsWaiting(state));
  testing::ApplyYaml(Pod("c"), state);
  state.Sync(kNow);
  EXPECT_EQ(state.next_round(), std::nullopt);
  const base::Time later = kNow + base::Duration::Seconds(3);
  state.Delete(api::Pod::KindInfo(), "team", "c");
  state.Sync(later);
  state.Delete(api::Pod::KindInfo(), "team", "b");
  state.Sync(later);
  state.engine().RunCycle(later);
  EXPECT_TRUE(IsWaiting(state)) << "3 cpu do not fit beside 2 of 4";
  state.Delete(api::Pod::KindInfo(), "team", "a");
  state.Sync(later);
  state.engine().RunCycle(later);
  EXPECT_TRUE(IsWaiting(state));
  ASSERT_EQ(state.next_round(), later + base::Duration::Seconds(10));
  state.Sync(*state.next_round());
  state.engine().RunCycle(*state.next_round());
  EXPECT_FALSE(IsWaiting(state));
}

// --- Pods of workloads ---------------------------------------------------------------------------

bool Fits(Cluster& cluster, int cpu, std::string_view level = "kubernetes.io/hostname");

std::string AdmittedOn(std::string_view levels, std::string_view slices);
constexpr std::string_view kOnN1 =
    "{domainCount: 1, valuesPerLevel: [{universal: n1}], podCounts: {universal: 1}}";
constexpr std::string_view kOwned =
    ", annotations: {kueue.x-k8s.io/workload: w, kueue.x-k8s.io/podset-required-topology: rack}";

TEST(PlacedPods, CountWithTheirWorkload) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  EXPECT_TRUE(Fits(cluster, 3));
  cluster.Change(Pod("w-0", "", kOwned));
  EXPECT_TRUE(Fits(cluster, 3)) << "one cpu is taken, by the workload";
  EXPECT_FALSE(Fits(cluster, 4));
}

TEST(PlacedPods, CountForThemselvesWhileTheyOutliveThePlaceOfTheirWorkload) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  cluster.Change(Pod("w-0", "", kOwned));
  cluster.state.Delete(api::Workload::KindInfo(), "team", "w");
  cluster.state.Sync(kNow);
  EXPECT_FALSE(Fits(cluster, 3)) << "two cpu are taken, by the pod";
  EXPECT_TRUE(Fits(cluster, 2));
}

TEST(PlacedPods, WithoutAPlacedWorkloadCountForThemselves) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Pod("a", "",
                     ", annotations: {kueue.x-k8s.io/podset-required-topology: rack, "
                     "kueue.x-k8s.io/workload: gone}"));
  EXPECT_FALSE(Fits(cluster, 3));
  EXPECT_TRUE(Fits(cluster, 2));
}

TEST(PlacedPods, ThatAreBeingDeletedLeaveTheirRoomToTheNextWorkload) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  cluster.Change(Pod("w-0", "", kOwned));
  cluster.Change(Pod("w-0", "", std::string(kOwned) + ", deletionTimestamp: 2024-05-01T12:00:00Z"));
  cluster.state.Delete(api::Workload::KindInfo(), "team", "w");
  cluster.state.Sync(kNow);
  EXPECT_TRUE(Fits(cluster, 4));
}

TEST(PlacedPods, OfAnElasticJobBelongToWhicheverSliceIsPlaced) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  std::string slice = Workload(AdmittedOn("kubernetes.io/hostname", kOnN1));
  slice.replace(slice.find("uid: w"), 6,
                "uid: w2, annotations: {kueue.x-k8s.io/workload-slice-name: w}");
  slice.replace(slice.find("name: w,"), 8, "name: w2,");
  cluster.Change(slice);
  cluster.Change(Pod("w-0", "",
                     ", annotations: {kueue.x-k8s.io/workload: w, "
                     "kueue.x-k8s.io/workload-slice-name: w, "
                     "kueue.x-k8s.io/podset-required-topology: rack}"));
  EXPECT_TRUE(Fits(cluster, 3));
}

TEST(PlacedPods, OfPodSetsWithoutAPlaceCountForThemselves) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  cluster.Change(Pod("driver", "", ", annotations: {kueue.x-k8s.io/workload: w}"));
  EXPECT_FALSE(Fits(cluster, 2)) << "one cpu is the workload's, and two are those of the driver";
  EXPECT_TRUE(Fits(cluster, 1));
}

// The engine has no place to count them in.
TEST(PlacedPods, CountForThemselvesWhenTheirFlavorIsGone) {
  Cluster cluster;
  cluster.Change(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: old}\n"
      "spec: {nodeLabels: {pool: tas}, topologyName: hosts}\n");
  cluster.Change(Node("n1"));
  std::string admitted = AdmittedOn("kubernetes.io/hostname", kOnN1);
  admitted.replace(admitted.find("cpu: f"), 6, "cpu: old");
  cluster.Change(Workload(admitted));
  cluster.Change(Pod("w-0", "", kOwned));
  EXPECT_TRUE(Fits(cluster, 3)) << "one cpu is taken, by the workload";
  cluster.state.Delete(api::ResourceFlavor::KindInfo(), "", "old");
  cluster.state.Sync(kNow);
  EXPECT_FALSE(Fits(cluster, 3)) << "two cpu are taken, by the pod";
  EXPECT_TRUE(Fits(cluster, 2));
}

// --- Levels that change --------------------------------------------------------------------------

// The flavor and its Topology with these levels, as after both were deleted and created again.
std::string Recreated(std::string_view levels) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: hosts}\nspec: "
         "{levels: [" +
         std::string(levels) +
         "]}\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: "
         "f}\nspec: {nodeLabels: {pool: tas}, topologyName: hosts}\n";
}
constexpr std::string_view kRack = "{nodeLabel: rack}";
constexpr std::string_view kRackAndHost = "{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}";

struct RecreatedTopology : Cluster {
  void Recreate(std::string_view levels) {
    state.Delete(api::ResourceFlavor::KindInfo(), "", "f");
    state.Delete(api::Topology::KindInfo(), "", "hosts");
    state.Sync(kNow);
    Change(Recreated(levels));
  }
};

constexpr std::string_view kOnR1 =
    "{domainCount: 1, valuesPerLevel: [{universal: r1}], podCounts: {universal: 1}}";

TEST(RecreatedTopology, CountsPodsOnTheirNodesIfTheirDomainsAreNoLeavesAnyMore) {
  RecreatedTopology cluster;
  cluster.Recreate(kRack);
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("rack", kOnR1)));
  cluster.Change(Pod("w-0", "", kOwned));
  EXPECT_TRUE(Fits(cluster, 3, "rack")) << "one cpu is taken, by the workload";
  cluster.Recreate(kRackAndHost);
  EXPECT_FALSE(Fits(cluster, 3)) << "two cpu are taken, by the pod";
  EXPECT_TRUE(Fits(cluster, 2));
}

TEST(RecreatedTopology, CountsPodsWithTheirWorkloadAgainOnceItsLevelsAreBack) {
  RecreatedTopology cluster;
  cluster.Recreate(kRack);
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("rack", kOnR1)));
  cluster.Change(Pod("w-0", "", kOwned));
  cluster.Recreate(kRackAndHost);
  cluster.Recreate(kRack);
  EXPECT_TRUE(Fits(cluster, 3, "rack")) << "one cpu is taken, by the workload";
  EXPECT_FALSE(Fits(cluster, 4, "rack"));
}

// The engine adds all usage again after every change of a topology.
TEST(RecreatedTopology, CountsPodsOnceAfterATopologyThatCameAndWent) {
  RecreatedTopology cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  testing::ApplyYaml(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: other}\nspec: {levels: "
      "[{nodeLabel: rack}]}\n",
      cluster.state);
  cluster.state.Delete(api::Topology::KindInfo(), "", "other");
  cluster.state.Sync(kNow);
  EXPECT_TRUE(Fits(cluster, 3)) << "one cpu is taken, by the workload";
}

TEST(RecreatedTopology, CountsPodsOnHostsOnTheirNodesWithoutThatLevel) {
  RecreatedTopology cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  cluster.Change(Pod("w-0", "", kOwned));
  cluster.Recreate(kRack);
  EXPECT_FALSE(Fits(cluster, 3, "rack")) << "two cpu are taken, by the pod";
  EXPECT_TRUE(Fits(cluster, 2, "rack"));
}

TEST(RecreatedTopology, CountsPodsOnHostsWithTheirWorkloadWhateverIsAbove) {
  RecreatedTopology cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(AdmittedOn("kubernetes.io/hostname", kOnN1)));
  cluster.Change(Pod("w-0", "", kOwned));
  cluster.Change(Recreated("{nodeLabel: pool}, {nodeLabel: kubernetes.io/hostname}"));
  EXPECT_TRUE(Fits(cluster, 3)) << "one cpu is taken, by the workload";
  EXPECT_FALSE(Fits(cluster, 4));
}

// --- Placements that cannot be stored ------------------------------------------------------------

constexpr int kWideLevels = 16;

// Sixteen levels whose values have the length of a label at most, different for every node.
std::string ValueOf(int node, int level) {
  std::string value = std::to_string(1000 * level + node) + "-" + std::to_string(node);
  return value.insert(value.find('-'), 62 - value.size(), 'x');
}

struct WideTopology : Cluster {
  explicit WideTopology(int nodes) {
    std::string levels;
    for (int i = 0; i < kWideLevels; ++i)
      levels += std::string(i == 0 ? "" : ", ") + "{nodeLabel: l" + std::to_string(i) + "}";
    Change(Recreated(levels));
    for (int i = 0; i < nodes; ++i) state.Apply(WideNode(i));
    state.Sync(kNow);
  }
  // With room for one pod.
  static api::Object WideNode(int i) {
    api::Object object(api::Node::KindInfo());
    api::Node& node = *object.As<api::Node>();
    node.metadata.name = "n" + std::to_string(i);
    node.metadata.labels.Set("pool", "tas");
    for (int level = 0; level < kWideLevels; ++level)
      node.metadata.labels.Set("l" + std::to_string(level), ValueOf(i, level));
    node.status.allocatable.Set("cpu", quantity::Quantity::FromInt(1));
    node.status.allocatable.Set("pods", quantity::Quantity::FromInt(1));
    api::CoreCondition& ready = node.status.conditions.emplace_back();
    ready.type = "Ready";
    ready.status = "True";
    return object;
  }
  // On a workload of so many pods.
  engine::Decision Decide(int pods) {
    std::string workload = Workload();
    workload.replace(workload.find("count: 3"), 8, "count: " + std::to_string(pods));
    workload.replace(workload.find("required: kubernetes.io/hostname"), 32, "unconstrained: true");
    workload.replace(workload.find("cpu: 1}"), 7, "cpu: 10m}");
    Change(workload);
    const auto decisions = engine().RunCycle(kNow);
    return decisions.empty() ? engine::Decision() : decisions[0];
  }
  bool IsQuotaFree() { return engine().ReservedIn(engine().FindClusterQueue("q")).empty(); }
};

TEST(TooLargePlacement, IsNotAdmittedAndHoldsNoQuota) {
  WideTopology cluster(1500);
  const engine::Decision decision = cluster.Decide(1500);
  EXPECT_EQ(decision.outcome, engine::Outcome::kNoFit);
  EXPECT_EQ(decision.reason, engine::WaitReason::kTopologyPlacementFailed);
  EXPECT_TRUE(decision.is_inadmissible);
  EXPECT_TRUE(cluster.IsQuotaFree());
}

TEST(TooLargePlacement, BeginsWhereAnObjectCannotBeStored) {
  WideTopology cluster(1300);
  EXPECT_EQ(cluster.Decide(1300).outcome, engine::Outcome::kAdmitted);
  EXPECT_FALSE(cluster.IsQuotaFree());
}

// --- Malformed input -----------------------------------------------------------------------------

api::TopologyAssignment OnHosts(const std::vector<api::TopologyDomain>& domains) {
  return api::PackTopologyAssignment({"kubernetes.io/hostname"}, domains);
}

TEST(ForgedAssignment, HoldsNoMorePodsThanItsPodSet) {
  Cluster cluster;
  const std::string n1 = "n1", n2 = "n2";
  const engine::DomainPathId first = cluster.engine().DomainPath({&n1, 1});
  const engine::DomainPathId second = cluster.engine().DomainPath({&n2, 1});
  const auto repeated = OnHosts(
      {{.values = {"n1"}, .count = 2'147'483'647}, {.values = {"n1"}, .count = 2'147'483'647}});
  EXPECT_THAT(ToDomains(repeated, 3, cluster.engine()), ElementsAre(engine::DomainPods{first, 3}));
  const auto spread = OnHosts({{.values = {"n1"}, .count = 2}, {.values = {"n2"}, .count = 9}});
  EXPECT_THAT(ToDomains(spread, 3, cluster.engine()),
              ElementsAre(engine::DomainPods{first, 2}, engine::DomainPods{second, 1}));
  EXPECT_THAT(ToDomains(OnHosts({{.values = {"n1"}, .count = -5}}), 3, cluster.engine()),
              SizeIs(0));
  EXPECT_THAT(ToDomains({.levels = {}, .slices = {{.domain_count = 1}}}, 3, cluster.engine()),
              SizeIs(0));
}

// Free cpu of a node, in whole cpus, as a pod of each size sees it.
bool Fits(Cluster& cluster, int cpu, std::string_view level) {
  cluster.Change(
      "\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: probe, "
      "namespace: team, uid: probe}\nspec:\n  queueName: main\n  podSets:\n  - name: "
      "main\n    count: 1\n    topologyRequest: {required: " +
      std::string(level) +
      "}\n    template: {spec: {containers: [{name: c, image: c, resources: {requests: {cpu: " +
      std::to_string(cpu) + "}}}]}}\n");
  bool fits = false;
  for (const engine::Decision& decision : cluster.engine().RunCycle(kNow))
    fits |= decision.outcome == engine::Outcome::kAdmitted;
  cluster.state.Delete(api::Workload::KindInfo(), "team", "probe");
  cluster.state.Sync(kNow);
  return fits;
}

std::string AdmittedOn(std::string_view levels, std::string_view slices) {
  return R"({conditions: [
  {type: QuotaReserved, status: "True", reason: R, message: "", lastTransitionTime: "2024-05-01T12:00:00Z"},
  {type: Admitted, status: "True", reason: R, message: "", lastTransitionTime: "2024-05-01T12:00:00Z"}],
  admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 3, flavors: {cpu: f},
    resourceUsage: {cpu: 3}, topologyAssignment: {levels: [)" +
         std::string(levels) + "], slices: [" + std::string(slices) + "]}}]}}";
}

TEST(ForgedAssignment, LeavesNoUsageBehind) {
  constexpr std::string_view kHosts = "kubernetes.io/hostname";
  const std::pair<std::string_view, std::string_view> forged[] = {
      {kHosts,
       "{domainCount: 1, valuesPerLevel: [{universal: n1}], podCounts: {universal: 2147483647}}"},
      {kHosts, "{domainCount: 1, valuesPerLevel: [{universal: gone}], podCounts: {universal: 3}}"},
      {kHosts,
       "{domainCount: 2, valuesPerLevel: [{individual: {roots: [n1]}}], podCounts: {individual: "
       "[1, 1]}}"},
      {kHosts, "{domainCount: 3, valuesPerLevel: [], podCounts: {}}"},
      {"rack", "{domainCount: 1, valuesPerLevel: [{universal: r1}], podCounts: {universal: 3}}"},
      {"", ""},
  };
  for (const auto& [levels, slices] : forged) {
    SCOPED_TRACE(slices);
    Cluster cluster;
    cluster.Change(Node("n1"));
    cluster.Change(Workload(AdmittedOn(levels, slices)));
    cluster.engine().RunCycle(kNow);
    cluster.state.Delete(api::Workload::KindInfo(), "team", "w");
    cluster.state.Sync(kNow);
    EXPECT_TRUE(Fits(cluster, 4));
  }
}

TEST(ForgedAssignment, ForOtherPodSetsPlacesNoPods) {
  std::string status = AdmittedOn("kubernetes.io/hostname", kOnN1);
  status.replace(status.find("name: main"), 10, "name: none");
  Cluster cluster;
  cluster.Change(Node("n1"));
  cluster.Change(Workload(status));
  EXPECT_TRUE(Fits(cluster, 4));
  const std::vector<engine::PodSetAssignment> held =
      cluster.engine().AssignmentOf(cluster.engine().FindWorkload("w"));
  ASSERT_THAT(held, SizeIs(2)) << "none for the pod set, and quota for another";
  EXPECT_EQ(held[0].count, 0);
  EXPECT_EQ(held[1].resources.at(0).amount, 3000);
}

TEST(AbsurdNode, HasNoRoomAndLeavesNothingBehind) {
  for (const std::string_view cpu : {"-4", "0", "-9223372036854775808"}) {
    SCOPED_TRACE(cpu);
    Cluster cluster;
    cluster.Change(Node("n1", "", cpu));
    EXPECT_FALSE(Fits(cluster, 1));
    cluster.Change(Node("n1"));
    EXPECT_TRUE(Fits(cluster, 4));
    EXPECT_FALSE(Fits(cluster, 5));
  }
}

TEST(AbsurdNode, OfUnlimitedCapacityOverflowsNoSum) {
  Cluster cluster;
  for (const std::string_view name : {"n1", "n2", "n3"})
    cluster.Change(Node(name, "", "9223372036854775807"));
  EXPECT_TRUE(Fits(cluster, 40));
  for (const std::string_view name : {"n1", "n2", "n3"}) cluster.Change(Node(name));
  EXPECT_TRUE(Fits(cluster, 4));
  EXPECT_FALSE(Fits(cluster, 5));
}

TEST(AbsurdPod, TakesAllRoomAndGivesItBack) {
  Cluster cluster;
  cluster.Change(Node("n1"));
  for (const std::string_view name : {"a", "b"})
    cluster.Change("\napiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
                   ", namespace: team}\nspec: {nodeName: n1, containers: [{name: c, image: c, "
                   "resources: {requests: {cpu: 9223372036854775807}}}]}\n");
  EXPECT_FALSE(Fits(cluster, 1));
  for (const std::string_view name : {"a", "b"})
    cluster.state.Delete(api::Pod::KindInfo(), "team", name);
  EXPECT_TRUE(Fits(cluster, 4));
  EXPECT_FALSE(Fits(cluster, 5));
}

TEST(NodeWithoutALevel, IsInNoDomainUntilItHasTheLabel) {
  Cluster cluster;
  std::string node = Node("n1");
  cluster.Change(std::string(node).replace(node.find(", rack: r1"), 10, ""));
  EXPECT_FALSE(Fits(cluster, 1));
  cluster.Change(node);
  EXPECT_TRUE(Fits(cluster, 4));
}

}  // namespace
}  // namespace berth::workload
