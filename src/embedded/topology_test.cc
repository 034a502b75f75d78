// Topology-aware scheduling by the controllers: where pods go, and what brings waiting jobs back.

#include "api/meta/conditions.h"
#include "embedded/testing/live_test.h"
#include "embedded/testing/topology_objects.h"

namespace berth::embedded {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiveCluster;
using testing::PlacedJob;
using testing::PlacedTeam;
using testing::PlacesOf;
using testing::PutNode;
using ::testing::SizeIs;
using testing::StartCluster;

// Two hosts in rack r1, one in r2, for 4 cpu each.
LiveCluster StartWithThreeHosts(std::string_view configuration = "", std::string_view queue = "") {
  LiveCluster cluster = StartCluster(configuration);
  cluster.Apply(PlacedTeam(40, queue));
  PutNode(cluster, {.name = "n1"});
  PutNode(cluster, {.name = "n2"});
  PutNode(cluster, {.name = "n3", .rack = "r2"});
  return cluster;
}

std::string ConditionOf(LiveCluster& cluster, std::string_view job, std::string_view type) {
  const auto workload = cluster.WorkloadOf(job);
  const api::Condition* found =
      workload ? api::FindCondition(workload->status.conditions, type) : nullptr;
  return found == nullptr ? "" : found->status + "/" + found->reason;
}

std::string MessageOf(LiveCluster& cluster, std::string_view job) {
  const auto workload = cluster.WorkloadOf(job);
  const api::Condition* quota =
      workload ? api::FindCondition(workload->status.conditions, "QuotaReserved") : nullptr;
  return quota == nullptr ? "" : quota->message;
}

// --- Assignments ---------------------------------------------------------------------------------

TEST(TopologyPlacement, OfPodsThatRequireARackIsWrittenWithTheAdmission) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.Apply(PlacedJob({.name = "train", .pods = 2}));
  cluster.AwaitRunning("Job team/train");
  const auto workload = cluster.WorkloadOf("Job team/train");
  EXPECT_EQ(PlacesOf(*workload), "n1:1 n2:1");
  const api::TopologyAssignment& assignment =
      *workload->status.admission->pod_set_assignments.at(0).topology_assignment;
  EXPECT_THAT(assignment.levels, ::testing::ElementsAre("kubernetes.io/hostname"));
  EXPECT_EQ(assignment.slices.at(0).values_per_level.at(0).individual->prefix, "n");
}

TEST(TopologyPlacement, IsImpliedInAQueueWithoutOtherFlavors) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.Apply(PlacedJob({.name = "plain", .where = ""}));
  cluster.AwaitRunning("Job team/plain");
  EXPECT_EQ(PlacesOf(cluster, "Job team/plain"), "n1:1");
}

TEST(TopologyPlacement, WaitsForQuotaIfTheRackIsFullAndFailsIfItIsTooSmall) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.Apply(PlacedJob({.name = "first", .pods = 2}));
  cluster.AwaitRunning("Job team/first");
  cluster.Apply(PlacedJob({.name = "second", .pods = 2}));
  cluster.AwaitPending("Job team/second", "WaitingForQuota");
  cluster.Apply(PlacedJob({.name = "third", .pods = 3}));
  cluster.AwaitPending("Job team/third", "TopologyPlacementFailed");
  cluster.Apply(PlacedJob({.name = "fourth", .where = "required-topology: block"}));
  cluster.AwaitPending("Job team/fourth", "NoMatchingFlavor");
  EXPECT_EQ(MessageOf(cluster, "Job team/second"),
            "Topology racks of flavor tas cannot fit 2 pods of pod set main in one domain of level "
            "rack: 1 of 2 pods fit; 3 nodes ready");
  EXPECT_EQ(MessageOf(cluster, "Job team/third"),
            "Topology racks of flavor tas cannot fit 3 pods of pod set main in one domain of level "
            "rack, even without other workloads: 2 of 3 pods fit; 3 nodes ready");
  cluster.Delete("Job team/first");
  cluster.AwaitRunning("Job team/second");
}

// --- Capacity ------------------------------------------------------------------------------------

TEST(TopologyCapacity, OfANewNodeAdmitsAJobOnceItIsReadyAndTolerated) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(PlacedTeam(40));
  cluster.Apply(PlacedJob({.name = "train"}));
  cluster.AwaitPending("Job team/train", "TopologyPlacementFailed");
  const std::string_view tainted = "taints: [{key: broken, effect: NoSchedule}]";
  PutNode(cluster, {.name = "n1", .spec = tainted, .is_ready = false});
  PutNode(cluster, {.name = "n1", .spec = tainted});
  cluster.AwaitIdle();
  EXPECT_EQ(cluster.PendingReason("Job team/train"), "TopologyPlacementFailed");
  PutNode(cluster, {.name = "n1", .spec = "taints: []"});
  cluster.AwaitRunning("Job team/train");
}

constexpr std::string_view kDaemon =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: daemon, namespace: team}\n"
    "spec: {nodeName: n3, containers: [{name: c, image: i, resources: {requests: {cpu: 2}}}]}\n";

TEST(TopologyCapacity, IsReducedByPodsOfOthersUntilTheyEnd) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.Apply(kDaemon);
  cluster.AwaitIdle();
  cluster.Apply(PlacedJob({.name = "filler", .pods = 2}));
  cluster.AwaitRunning("Job team/filler");
  cluster.Apply(PlacedJob({.name = "train"}));
  cluster.AwaitPending("Job team/train", "WaitingForQuota");
  cluster.Patch("Pod team/daemon", R"({"status": {"phase": "Succeeded"}})", "status");
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(PlacesOf(cluster, "Job team/train"), "n3:1");
}

std::string PodOf(const api::Workload& workload, std::string_view node) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: train-0, namespace: team, annotations: "
         "{kueue.x-k8s.io/podset-required-topology: rack, kueue.x-k8s.io/workload: " +
         workload.metadata.name + "}}\nspec: {nodeName: " + std::string(node) +
         ", containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}\n";
}

TEST(TopologyCapacity, IsNotReducedTwiceByAPlacedPod) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.Apply(PlacedJob({.name = "train", .cpu = "2", .where = "required-topology: rack"}));
  cluster.AwaitRunning("Job team/train");
  ASSERT_EQ(PlacesOf(cluster, "Job team/train"), "n3:1");
  cluster.Apply(PodOf(*cluster.WorkloadOf("Job team/train"), "n3"));
  cluster.AwaitIdle();
  cluster.Apply(PlacedJob({.name = "beside", .cpu = "2"}));
  cluster.AwaitRunning("Job team/beside");
  EXPECT_EQ(PlacesOf(cluster, "Job team/beside"), "n3:1");
}

// --- Second passes -------------------------------------------------------------------------------

constexpr std::string_view kCheck =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: prov}\n"
    "spec: {controllerName: kueue.x-k8s.io/provisioning-request}\n";
constexpr std::string_view kActive =
    R"({"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Active",
        "message": "", "lastTransitionTime": "2030-01-01T00:00:00Z"}]}})";
constexpr std::string_view kReady =
    R"({"status": {"admissionChecks": [{"name": "prov", "state": "Ready", "message": "",
        "lastTransitionTime": "2030-01-01T00:00:00Z"}]}})";

TEST(DelayedTopology, IsAssignedWhenTheCheckIsReadyAndTheNodesAreThere) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(PlacedTeam(40, "  admissionChecksStrategy: {admissionChecks: [{name: prov}]}\n"));
  cluster.Apply(kCheck);
  cluster.Patch("AdmissionCheck prov", kActive, "status");
  const std::string_view job = "Job team/train";
  cluster.Apply(PlacedJob({.name = "train"}));
  cluster.Await("quota without a place", [&] {
    const auto w = cluster.WorkloadOf(job);
    return w && w->status.admission && w->status.admission_checks.size() == 1 &&
           w->status.admission->pod_set_assignments.at(0).delayed_topology_request == "Pending";
  });
  const std::string name = cluster.WorkloadOf(job)->metadata.name;
  cluster.Patch("Workload team/" + name, kReady, "status");
  cluster.Await("the reason", [&] {
    return ConditionOf(cluster, job, "Admitted") == "False/PendingDelayedTopologyRequests";
  });
  cluster.Await("the Event", [&] { return cluster.EventCount(name, "SecondPassFailed") > 0; });
  EXPECT_EQ(ConditionOf(cluster, job, "QuotaReserved"), "True/QuotaReserved");
  PutNode(cluster, {.name = "n1"});
  cluster.AwaitRunning(job);
  const auto admitted = cluster.WorkloadOf(job);
  EXPECT_EQ(PlacesOf(*admitted), "n1:1");
  EXPECT_EQ(admitted->status.admission->pod_set_assignments.at(0).delayed_topology_request,
            "Ready");
  EXPECT_THAT(cluster.EventsAbout(name), Contains(HasSubstr("Normal Admitted")));
}

// Reports a node of the job's Workload as failed, as the controller of nodes does.
void Report(LiveCluster& cluster, std::string_view job, std::string_view node) {
  cluster.Patch("Workload team/" + cluster.WorkloadOf(job)->metadata.name,
                R"({"status": {"unhealthyNodes": [{"name": ")" + std::string(node) + R"("}]}})",
                "status");
}

TEST(NodeReplacement, ChangesTheAssignmentAndNothingElse) {
  LiveCluster cluster = StartCluster();
  cluster.Apply(PlacedTeam(40));
  for (const std::string_view node : {"n1", "n2", "n3"}) PutNode(cluster, {.name = node});
  const std::string_view job = "Job team/train";
  cluster.Apply(PlacedJob({.name = "train", .pods = 2}));
  cluster.AwaitRunning(job);
  cluster.AwaitIdle();
  const auto before = cluster.WorkloadOf(job);
  cluster.Delete("Node n2");
  Report(cluster, job, "n2");
  cluster.Await("the other node", [&] { return PlacesOf(cluster, job) == "n1:1 n3:1"; });
  const auto after = cluster.WorkloadOf(job);
  EXPECT_THAT(after->status.unhealthy_nodes, SizeIs(0));
  EXPECT_EQ(after->status.conditions, before->status.conditions);
  EXPECT_TRUE(cluster.IsRunning(job));
}

TEST(NodeReplacement, EvictsIfThereIsNoPlaceAndAdmitsWhenThereIs) {
  LiveCluster cluster = StartWithThreeHosts();
  const std::string_view job = "Job team/train";
  cluster.Apply(PlacedJob({.name = "train", .pods = 2}));
  cluster.AwaitRunning(job);
  const std::string name = cluster.WorkloadOf(job)->metadata.name;
  cluster.Delete("Node n2");
  Report(cluster, job, "n2");
  cluster.AwaitPending(job, "TopologyPlacementFailed");
  EXPECT_THAT(cluster.EventsAbout(name), Contains(HasSubstr("Normal EvictedDueToNodeFailures")));
  EXPECT_EQ(ConditionOf(cluster, job, "Requeued"), "True/NodeFailures");
  PutNode(cluster, {.name = "n4"});
  cluster.AwaitRunning(job);
  EXPECT_EQ(PlacesOf(cluster, job), "n1:1 n4:1");
}

// --- Topologies ----------------------------------------------------------------------------------

TEST(TopologyObject, IsKeptWhileAFlavorNamesIt) {
  LiveCluster cluster = StartWithThreeHosts();
  cluster.AwaitIdle();
  cluster.Delete("Topology racks");
  cluster.Apply(PlacedJob({.name = "train"}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_TRUE(cluster.Find("Topology racks"));
  cluster.Delete("Job team/train");
  cluster.AwaitIdle();
  cluster.Delete("ClusterQueue team");
  cluster.Delete("ResourceFlavor tas");
  cluster.Await("the end of the Topology", [&] { return !cluster.Find("Topology racks"); });
}

TEST(TopologyObject, ThatIsMissingMakesTheQueueInactive) {
  LiveCluster cluster = StartCluster();
  std::string team = PlacedTeam(40);
  cluster.Apply(team.substr(team.find("---\n")));
  PutNode(cluster, {.name = "n1"});
  cluster.Apply(PlacedJob({.name = "train"}));
  cluster.AwaitPending("Job team/train", "Suspended");
  cluster.AwaitIdle();
  const std::string queue = json::Print(*cluster.Find("ClusterQueue team"));
  EXPECT_THAT(queue, HasSubstr("TopologyNotFound"));
  EXPECT_THAT(queue, HasSubstr("Topologies not found: racks of ResourceFlavor tas"));
  cluster.Apply(testing::Racks());
  cluster.AwaitRunning("Job team/train");
}

// --- Gates ---------------------------------------------------------------------------------------

TEST(TopologyGates, WithoutTopologyAwareSchedulingAFlavorHasQuotaAlone) {
  LiveCluster cluster = StartCluster(
      "featureGates: {TopologyAwareScheduling: false, TASFailedNodeReplacement: false, "
      "TASFailedNodeReplacementFailFast: false, TASHandleOverlappingFlavors: false, "
      "TASMultiLayerTopology: false, TASProfileMixed: false, "
      "TASRecomputeAssignmentWithinSchedulingCycle: false, TASReplaceNodeOnNodeTaints: false, "
      "TASReplaceNodeOnPodTermination: false}\n");
  cluster.Apply(PlacedTeam(40));
  cluster.Apply(PlacedJob({.name = "train", .where = ""}));
  cluster.AwaitRunning("Job team/train");
  EXPECT_EQ(PlacesOf(cluster, "Job team/train"), "");
  cluster.Delete("Topology racks");
  EXPECT_FALSE(cluster.Find("Topology racks"));
}

size_t SlicesWith(std::string_view configuration) {
  LiveCluster cluster = StartCluster(configuration);
  cluster.Apply(PlacedTeam(40));
  for (int i = 0; i < 12; ++i)
    for (const std::string pool : {"training-pool-with-a-long-name-", "serving-pool-"}) {
      const std::string name = pool + std::to_string(10 + i);
      PutNode(cluster, {.name = name, .cpu = "1"});
    }
  cluster.Apply(PlacedJob({.name = "train", .pods = 24, .cpu = "1"}));
  cluster.AwaitRunning("Job team/train");
  const auto workload = cluster.WorkloadOf("Job team/train");
  return workload->status.admission->pod_set_assignments.at(0).topology_assignment->slices.size();
}

TEST(TopologyGates, TASAssignmentsEncodingByHostnamePrefixCutsAssignmentsWherePrefixesChange) {
  EXPECT_EQ(SlicesWith(""), 2u);
  EXPECT_EQ(SlicesWith("featureGates: {TASAssignmentsEncodingByHostnamePrefix: false}\n"), 1u);
}

}  // namespace
}  // namespace berth::embedded
