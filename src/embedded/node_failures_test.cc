// Nodes that fail under placed workloads, end to end. The tests play the controllers of Jobs, the
// scheduler and the kubelets.

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "embedded/testing/denied_writes.h"
#include "embedded/testing/live_test.h"
#include "json/path.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LiveCluster;
using testing::StartCluster;

constexpr std::string_view kTraining = "Job team/train";
constexpr std::string_view kReady =
    R"({"type": "Ready", "status": "True", "reason": "KubeletReady"})";
constexpr std::string_view kNotReady = R"({"type": "Ready", "status": "Unknown"})";
constexpr std::string_view kWaits = "featureGates: {TASFailedNodeReplacementFailFast: false}\n";

constexpr std::string_view kQueues = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: tas}
spec: {topologyName: racks, nodeLabels: {pool: tas}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: tas, resources: [{name: cpu, nominalQuota: 100}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: team}
)";

// Two pods, each of which fills most of a node, in one rack.
constexpr std::string_view kTwoPods = R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: main}}
spec:
  parallelism: 2
  completions: 2
  completionMode: Indexed
  template:
    metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
    spec:
      restartPolicy: Never
      containers: [{name: c, image: example.com/c, resources: {requests: {cpu: 3}}}]
)";

class NodeFailure {
 public:
  explicit NodeFailure(std::string_view configuration = "", store::Taps taps = {})
      : cluster_(StartCluster(configuration, {}, std::move(taps))) {
    cluster_.Apply(kQueues);
  }

  LiveCluster& cluster() { return cluster_; }

  // A node with four CPUs in the rack r1.
  void AddNode(const std::string& name) {
    cluster_.Apply("apiVersion: v1\nkind: Node\nmetadata: {name: " + name +
                   ", labels: {pool: tas, rack: r1, kubernetes.io/hostname: " + name + "}}\n");
    cluster_.Patch("Node " + name, R"({"status": {"allocatable": {"cpu": "4", "pods": "10"}}})",
                   "status");
    cluster_.Patch("Node " + name, R"({"spec": {"taints": null}})");
    SetReady(name, kReady);
  }
  void SetReady(const std::string& name, std::string_view condition) {
    cluster_.Patch("Node " + name,
                   R"({"status": {"conditions": [)" + std::string(condition) + "]}}", "status");
  }
  void SetTaint(const std::string& name, const std::string& effect) {
    cluster_.Patch("Node " + name,
                   R"({"spec": {"taints": [{"key": "broken", "effect": ")" + effect + "\"}]}}");
  }

  // The job on n1 and n2, with the nodes n1 to n`nodes`.
  void StartJob(int nodes) {
    for (int i = 1; i <= nodes; ++i) AddNode("n" + std::to_string(i));
    cluster_.Apply(kTwoPods);
    AwaitNodes({"n1", "n2"});
  }

  // A pod of the job as its controller and the ungater leave it; `more` is added to its spec.
  void PinPod(const std::string& name, const std::string& node, const std::string& more = "") {
    cluster_.Create("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
                    ", namespace: team, labels: {kueue.x-k8s.io/podset: main}, annotations: "
                    "{kueue.x-k8s.io/workload: " +
                    Workload().metadata.name +
                    ", kueue.x-k8s.io/podset-required-topology: rack}}\n"
                    "spec: {" +
                    more + "nodeSelector: {kubernetes.io/hostname: " + node +
                    "}, containers: [{name: c, image: example.com/c}], "
                    "terminationGracePeriodSeconds: 600}\n");
  }
  void RunPod(const std::string& name, const std::string& node) {
    PinPod(name, node, "nodeName: " + node + ", ");
    cluster_.Patch("Pod team/" + name, R"({"status": {"phase": "Running"}})", "status");
  }

  api::Workload Workload() { return *cluster_.WorkloadOf(kTraining); }

  std::vector<std::string> Nodes() {
    std::vector<std::string> nodes;
    const auto workload = cluster_.WorkloadOf(kTraining);
    if (!workload || !workload->status.admission) return nodes;
    for (const api::PodSetAssignment& set : workload->status.admission->pod_set_assignments)
      if (set.topology_assignment)
        for (const api::TopologyDomain& domain :
             api::UnpackTopologyAssignment(*set.topology_assignment))
          nodes.push_back(domain.values.back());
    return nodes;
  }
  void AwaitNodes(const std::vector<std::string>& nodes) {
    cluster_.Await(::testing::PrintToString(nodes), [&] { return Nodes() == nodes; });
    EXPECT_EQ(Nodes(), nodes);
  }

  std::vector<std::string> UnhealthyNodes() {
    std::vector<std::string> names;
    for (const api::UnhealthyNode& node : Workload().status.unhealthy_nodes)
      names.push_back(node.name);
    return names;
  }
  void AwaitUnhealthyNodes(const std::vector<std::string>& names) {
    cluster_.Await("unhealthyNodes " + ::testing::PrintToString(names),
                   [&] { return UnhealthyNodes() == names; });
  }
  bool IsEvictedByNodeFailures() {
    const auto* evicted = api::FindCondition(Workload().status.conditions, "Evicted");
    return evicted != nullptr && evicted->reason == "NodeFailures";
  }
  void AwaitEviction() {
    cluster_.Await("an eviction", [&] { return IsEvictedByNodeFailures(); });
    const std::string name = Workload().metadata.name;
    cluster_.Await("an Event", [&] {
      return ::testing::Value(cluster_.EventsAbout(name),
                              Contains(HasSubstr("Normal EvictedDueToNodeFailures: ")));
    });
  }

 private:
  LiveCluster cluster_;
};

TEST(FailedNodes, ANodeThatIsNotReadyIsReplacedOnceItsPodsAreDeleted) {
  NodeFailure test;
  test.StartJob(3);
  test.RunPod("a", "n1");
  test.RunPod("b", "n2");
  test.cluster().AwaitIdle();
  const auto before = test.Workload().status.conditions;
  test.SetReady("n2", kNotReady);
  test.cluster().AwaitIdle();
  EXPECT_THAT(test.Nodes(), ElementsAre("n1", "n2"));
  test.cluster().Delete("Pod team/b");
  test.AwaitNodes({"n1", "n3"});
  EXPECT_THAT(test.UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(test.Workload().status.conditions, before);
}

TEST(FailedNodes, ANodeThatIsDeletedIsReplacedAtOnce) {
  NodeFailure test;
  test.StartJob(3);
  test.RunPod("b", "n2");
  test.cluster().Delete("Node n2");
  test.AwaitNodes({"n1", "n3"});
}

TEST(FailedNodes, AWorkloadIsEvictedIfNoNodeIsLeftAndReturnsWithTheNode) {
  NodeFailure test;
  test.StartJob(2);
  test.cluster().Delete("Node n2");
  test.AwaitEviction();
  test.cluster().AwaitPending(kTraining, "TopologyPlacementFailed");
  EXPECT_TRUE(test.cluster().IsSuspended(kTraining));
  const api::Workload waiting = test.Workload();
  EXPECT_EQ(waiting.status.scheduling_stats->evictions.at(0).count, 1);
  const auto* requeued = api::FindCondition(waiting.status.conditions, "Requeued");
  ASSERT_NE(requeued, nullptr);
  EXPECT_EQ(requeued->status + " " + requeued->reason, "True NodeFailures");
  test.AddNode("n2");
  test.AwaitNodes({"n1", "n2"});
  test.cluster().AwaitRunning(kTraining);
}

TEST(FailedNodes, AWorkloadThatLosesAnotherNodeMeanwhileIsEvicted) {
  NodeFailure test(kWaits);
  test.StartJob(2);
  test.cluster().Delete("Node n2");
  test.AwaitUnhealthyNodes({"n2"});
  EXPECT_FALSE(test.IsEvictedByNodeFailures());
  test.cluster().Delete("Node n1");
  test.AwaitEviction();
  EXPECT_THAT(test.UnhealthyNodes(), IsEmpty());
  EXPECT_THAT(test.cluster().EventsAbout(test.Workload().metadata.name),
              Contains(HasSubstr("Nodes failed (2): n2, n1;")));
}

// Six attempts a second apart, and then a pause that doubles: 5 s, 10 s.
TEST(FailedNodes, AReplacementThatIsDeniedIsDecidedLessAndLessOften) {
  testing::DeniedWrites denied(R"("unhealthyNodes":null)");
  NodeFailure test("", denied.Taps());
  test.StartJob(3);
  test.cluster().Delete("Node n2");
  EXPECT_GE(denied.AwaitDenials(18, test.cluster()), base::Duration::Seconds(25));
}

TEST(FailedNodes, ANodeThatIsBackBeforeItIsReplacedIsKept) {
  NodeFailure test(kWaits);
  test.StartJob(2);
  test.cluster().Delete("Node n2");
  test.AwaitUnhealthyNodes({"n2"});
  test.AddNode("n2");
  test.AwaitUnhealthyNodes({});
  EXPECT_THAT(test.Nodes(), ElementsAre("n1", "n2"));
  EXPECT_FALSE(test.IsEvictedByNodeFailures());
}

}  // namespace
}  // namespace berth::embedded
