#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/testing/lint_text.h"

namespace berth::lint {
namespace {

using testing::Documents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LintText;
using testing::OnlyMessage;

constexpr std::string_view kTopology = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]})";

constexpr std::string_view kFlavor = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: gpu}
spec: {nodeLabels: {pool: gpu}, topologyName: racks})";

constexpr std::string_view kPlainFlavor = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: plain})";

constexpr std::string_view kLocalQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: cq})";

std::string Queue(std::string_view flavor = "gpu", std::string_view more = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: cq}\nspec:\n"
         "  namespaceSelector: {}\n  resourceGroups:\n  - coveredResources: [cpu]\n"
         "    flavors: [{name: " +
         std::string(flavor) + ", resources: [{name: cpu, nominalQuota: 1000}]}]\n" +
         std::string(more);
}

// Objects of a queue whose only flavor has the Topology.
std::string Cluster() { return Documents(kTopology, kFlavor, Queue(), kLocalQueue); }

// A Job with pods of one cpu.
std::string Job(std::string_view annotations, int pods = 4) {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  namespace: team\n"
         "  labels: {kueue.x-k8s.io/queue-name: lq}\nspec:\n  parallelism: " +
         std::to_string(pods) +
         "\n  completions: 100\n  template:\n    metadata:\n      annotations: {" +
         std::string(annotations) +
         "}\n    spec:\n      restartPolicy: Never\n"
         "      containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]\n";
}

std::string Required(std::string_view level) {
  return "kueue.x-k8s.io/podset-required-topology: " + std::string(level);
}

struct NodeText {
  std::string name;
  std::string labels = "block: b1, rack: r1";
  std::string cpu = "4";
  std::string hostname = {};  // default: the name
  std::string spec = {};
};

std::string Node(const NodeText& node) {
  const std::string hostname = node.hostname.empty() ? node.name : node.hostname;
  return "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: " + node.name +
         "\n  labels: {pool: gpu, kubernetes.io/hostname: " + hostname + ", " + node.labels +
         "}\nspec: {" + node.spec + "}\nstatus: {allocatable: {cpu: " + node.cpu + "}}\n";
}

// --- Levels --------------------------------------------------------------------------------------

TEST(TopologyRequests, MayNameEveryLevelOfTheQueuesTopologies) {
  EXPECT_THAT(LintText(Cluster() + Job(Required("rack"))), IsEmpty());
}

TEST(TopologyRequests, NameALevelOfSomeTopology) {
  EXPECT_THAT(OnlyMessage(Cluster() + Job(Required("row"))),
              HasSubstr(R"(level "row" not found in any Topology: the job is never admitted )"
                        R"((levels: "block", "kubernetes.io/hostname" and "rack"))"));
}

TEST(TopologyRequests, NameALevelOfATopologyThatTheQueueUses) {
  constexpr std::string_view kRows = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: rows}
spec: {levels: [{nodeLabel: row}]})";
  EXPECT_THAT(OnlyMessage(Cluster() + Documents(kRows) + Job(Required("row"))),
              HasSubstr(R"(no flavor of ClusterQueue cq has a Topology with level "row": )"
                        R"(the job is never admitted)"));
}

TEST(TopologyRequests, LayersOfSlicesAreLevelsToo) {
  const std::string layers =
      R"(kueue.x-k8s.io/podset-slice-required-topology-constraints: '[{"topology":"row","size":2}]')";
  EXPECT_THAT(LintText(Cluster() + Job(Required("block") + ", " + layers)),
              ElementsAre(HasSubstr("topology-level-not-found "
                                    "spec.template.metadata.annotations[kueue.x-k8s.io/"
                                    "podset-slice-required-topology-constraints]")));
}

TEST(TopologyRequests, OfWorkloadsAreFields) {
  constexpr std::string_view kWorkload = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: team}
spec:
  queueName: lq
  podSets:
  - name: main
    count: 1
    topologyRequest: {preferred: row}
    template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)";
  EXPECT_THAT(
      LintText(Cluster() + "---" + std::string(kWorkload)),
      ElementsAre(HasSubstr("topology-level-not-found spec.podSets[0].topologyRequest.preferred")));
}

TEST(TopologyRequests, NeedAQueueWithATopology) {
  EXPECT_THAT(OnlyMessage(Documents(kTopology, kPlainFlavor, Queue("plain"), kLocalQueue) +
                          Job(Required("rack"))),
              HasSubstr("the pods request a topology, but no flavor of ClusterQueue cq has one"));
}

// Whether the flavor has a Topology is unknown, or decided elsewhere.
TEST(TopologyRequests, AreNotJudgedWithoutAllObjectsOfTheQueue) {
  EXPECT_THAT(LintText(Documents(kTopology, Queue("plain"), kLocalQueue) + Job(Required("rack"))),
              IsEmpty());
  EXPECT_THAT(LintText(Documents(kFlavor, Queue(), kLocalQueue) + Job(Required("row"))), IsEmpty());
  EXPECT_THAT(LintText(Documents(kTopology, kPlainFlavor,
                                 Queue("plain",
                                       "  admissionChecksStrategy: {admissionChecks: [{name: x}]}"),
                                 kLocalQueue) +
                       Job(Required("rack"))),
              IsEmpty());
}

TEST(TopologyRequests, HaveNoEffectWithoutTheirGate) {
  LintOptions off;
  off.gates.Set(api::Gate::kTopologyAwareScheduling, false);
  EXPECT_THAT(LintText(Cluster() + Job(Required("row")), off), IsEmpty());
}

// --- Nodes ---------------------------------------------------------------------------------------

TEST(TopologyNodes, HaveALabelForEveryLevel) {
  EXPECT_THAT(LintText(Documents(kTopology, kFlavor) + Node({.name = "n1"})), IsEmpty());
  EXPECT_THAT(
      OnlyMessage(Documents(kTopology, kFlavor) + Node({.name = "n1", .labels = "rack: r1"})),
      HasSubstr(R"(Node "n1" has the labels of ResourceFlavor "gpu", but no label "block" )"
                R"(of Topology "racks": no pods are placed on it)"));
}

TEST(TopologyNodes, OfOtherFlavorsNeedNoLevels) {
  EXPECT_THAT(
      LintText(Documents(kTopology, kFlavor, "{apiVersion: v1, kind: Node, metadata: {name: n1}}")),
      IsEmpty());
}

TEST(TopologyNodes, HaveHostnamesOfTheirOwn) {
  const std::string nodes =
      Node({.name = "n1", .hostname = "h"}) + Node({.name = "n2", .hostname = "h"});
  EXPECT_THAT(OnlyMessage(Documents(kTopology, kFlavor) + nodes),
              HasSubstr(R"(hostname "h" is also that of Node "n1")"));
  constexpr std::string_view kWithoutHosts = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}]})";
  EXPECT_THAT(LintText(Documents(kWithoutHosts, kFlavor) + nodes), IsEmpty());
}

// --- Sizes ---------------------------------------------------------------------------------------

std::string TwoRacks() {
  return Node({.name = "n1"}) + Node({.name = "n2"}) +
         Node({.name = "n3", .labels = "block: b1, rack: r2"});
}

TEST(TopologyFit, AcceptsWhatAnEmptyDomainHolds) {
  EXPECT_THAT(LintText(Cluster() + TwoRacks() + Job(Required("rack"), 8)), IsEmpty());
  EXPECT_THAT(LintText(Cluster() + TwoRacks() + Job(Required("block"), 12)), IsEmpty());
}

TEST(TopologyFit, WarnsOfSizesThatNoDomainOfTheLevelHolds) {
  const std::string text = Cluster() + TwoRacks() + Job(Required("rack"), 9);
  EXPECT_THAT(LintText(text),
              ElementsAre(HasSubstr("warning topology-never-fits "
                                    "spec.template.metadata.annotations[kueue.x-k8s.io/"
                                    "podset-required-topology]")));
  EXPECT_THAT(OnlyMessage(text),
              HasSubstr(R"(the nodes of flavor gpu have room for 8 of 9 pods in one domain of )"
                        R"(level "rack", with all nodes empty: the job is never admitted)"));
}

TEST(TopologyFit, WarnsOfSlicesThatNoDomainOfTheirLevelHolds) {
  const std::string slices =
      "kueue.x-k8s.io/podset-slice-required-topology: kubernetes.io/hostname, "
      "kueue.x-k8s.io/podset-slice-size: \"5\"";
  EXPECT_THAT(OnlyMessage(Cluster() + TwoRacks() + Job(Required("block") + ", " + slices, 10)),
              HasSubstr("have room for 0 of 2 slices of 5 pods"));
}

// Of a queue in which all flavors have a topology.
TEST(TopologyFit, CoversPodsWithoutARequest) {
  EXPECT_THAT(LintText(Cluster() + TwoRacks() + Job("", 13)),
              ElementsAre(HasSubstr("topology-never-fits spec.template.spec.containers")));
}

TEST(TopologyFit, CountsOnNodesToBecomeReadyAndUntainted) {
  EXPECT_THAT(
      LintText(Cluster() +
               Node({.name = "n1",
                     .spec = "unschedulable: true, taints: [{key: a, effect: NoSchedule}]"}) +
               Job(Required("rack"), 4)),
      IsEmpty());
}

TEST(TopologyFit, TakesTheNameOfANodeForItsHostname) {
  constexpr std::string_view kNode = R"(
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {pool: gpu, block: b1, rack: r1}}
status: {allocatable: {cpu: 4}}
)";
  EXPECT_THAT(LintText(Cluster() + std::string(kNode) + Job(Required("rack"), 4)), IsEmpty());
  EXPECT_THAT(OnlyMessage(Cluster() + std::string(kNode) + Job(Required("rack"), 5)),
              HasSubstr("have room for 4 of 5 pods"));
}

TEST(TopologyFit, SaysNothingWithoutTheNodesOfAFlavor) {
  constexpr std::string_view kOther =
      "\n---\n{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "
      "1}}}\n";
  EXPECT_THAT(LintText(Cluster() + std::string(kOther) + Job(Required("rack"), 99)), IsEmpty());
}

TEST(TopologyFit, SaysNothingIfTheManifestsLeaveSizesToTheKubelet) {
  constexpr std::string_view kNode = R"(
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {pool: gpu, block: b1, rack: r1, kubernetes.io/hostname: n1}}
)";
  EXPECT_THAT(LintText(Cluster() + std::string(kNode) + Job(Required("rack"), 99)), IsEmpty());
}

}  // namespace
}  // namespace berth::lint
