#include "control/placement/node_failure_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr base::Time kNodesNow = base::Time::FromSeconds(1'000'000);
constexpr std::string_view kReady = "True";
constexpr std::string_view kNotReady = "False";

struct PodPlace {
  std::string pod_set = "main";
  std::string node = "";    // it is bound to
  std::string pinned = "";  // by its node selector
  bool is_terminating = false;
  bool is_gated = false;
};

// A Workload of two pods, on the nodes n1 and n2, which are ready.
class NodeFailures : public ::testing::Test {
 protected:
  NodeFailures() {
    workload_.spec.pod_sets = {{.name = "main", .count = 2}};
    PlaceOn({"n1", "n2"});
    workload::SyncAdmitted(workload_, kNodesNow);
    for (const char* name : {"n1", "n2", "n3"}) SetNode(name, kReady);
    pods_ = {};
  }

  void PlaceOn(const std::vector<std::string>& nodes,
               std::string level = "kubernetes.io/hostname") {
    std::vector<api::TopologyDomain> domains;
    for (const std::string& node : nodes) domains.push_back({.values = {node}, .count = 1});
    api::Admission admission{.cluster_queue = "cq"};
    admission.pod_set_assignments.push_back(
        {.name = "main",
         .flavors = {{"cpu", "tas"}},
         .count = 2,
         .topology_assignment = api::PackTopologyAssignment({std::move(level)}, domains)});
    workload::MarkReserved(workload_, admission, kNodesNow);
  }

  void SetNode(const std::string& name, std::string_view ready, std::vector<api::Taint> taints = {},
               int64_t seconds_ago = 0) {
    api::Node node;
    node.metadata.name = name;
    node.spec.taints = std::move(taints);
    node.status.conditions.push_back(
        {.type = "Ready",
         .status = std::string(ready),
         .last_transition_time = kNodesNow - base::Duration::Seconds(seconds_ago)});
    nodes_[name] = NodeHealth::From(node);
  }

  void AddPod(const std::string& name, const PodPlace& place) {
    PlacedPod pod{
        .pod_set = place.pod_set, .node = place.node, .phase = std::string(api::kPodPending)};
    if (!place.pinned.empty()) pod.node_selector.Set(api::kHostnameLabel, place.pinned);
    if (place.is_gated) pod.gates.emplace_back(api::kTopologySchedulingGate);
    pod.is_terminating = place.is_terminating;
    pods_[name] = std::move(pod);
  }

  // Plans, and takes over what is planned for the Workload.
  std::vector<std::string> UnhealthyNodes() {
    const AssignedNodes nodes = NodesOf(workload_);
    plan_ = PlanNodeFailures(workload_,
                             {.nodes = nodes,
                              .pods = pods_,
                              .reported = reported_,
                              .find_node =
                                  [this](std::string_view host) {
                                    const auto node = nodes_.find(host);
                                    return node == nodes_.end() ? nullptr : &node->second;
                                  },
                              .find_flavor = [this](std::string_view) { return &flavor_; }},
                             policy_, kNodesNow);
    workload_ = plan_.workload.workload;
    std::vector<std::string> names;
    for (const api::UnhealthyNode& node : workload_.status.unhealthy_nodes) {
      names.push_back(node.name);
      reported_.insert(node.name);
    }
    return names;
  }
  std::vector<std::string> LostPods() {
    UnhealthyNodes();
    std::vector<std::string> texts;
    for (const LostPod& pod : plan_.lost_pods) texts.push_back(pod.name + ": " + pod.message);
    return texts;
  }
  std::string EvictedReason() const {
    const auto* evicted = api::FindCondition(workload_.status.conditions, "Evicted");
    return evicted == nullptr ? "" : evicted->reason;
  }

  api::Workload workload_;
  api::ResourceFlavor flavor_;
  std::map<std::string, NodeHealth, std::less<>> nodes_;
  PlacedPods::Pods pods_;
  std::set<std::string> reported_;
  NodeFailurePolicy policy_;
  NodeFailurePlan plan_;
};

const api::Taint kNoExecute{.key = "gone-bad", .effect = std::string(api::kNoExecute)};
const api::Taint kNoSchedule{.key = "gone-bad", .effect = std::string(api::kNoSchedule)};

api::Toleration Tolerating(std::optional<int64_t> seconds = {}) {
  return {
      .key = "gone-bad", .op = std::string(api::kTolerationExists), .toleration_seconds = seconds};
}

// --- When a node has failed ----------------------------------------------------------------------

TEST_F(NodeFailures, ANodeThatIsGoneHasFailedAtOnce) {
  AddPod("a", {.node = "n2"});
  nodes_.erase("n2");
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
  EXPECT_EQ(EvictedReason(), "");
}

TEST_F(NodeFailures, ANodeWithoutConditionReadyHasFailedAtOnce) {
  AddPod("a", {.node = "n2"});
  nodes_["n2"].readiness = NodeHealth::Readiness::kUnreported;
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, ANodeThatIsNotReadyHasNotFailedWhileAPodProgresses) {
  AddPod("a", {.node = "n2"});
  AddPod("b", {.node = "n2", .is_terminating = true});
  SetNode("n2", kNotReady, {}, 3600);
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(plan_.workload.requeue_at, std::nullopt);
}

TEST_F(NodeFailures, ANodeThatIsNotReadyHasFailedOnceItsPodsAreDeleted) {
  AddPod("a", {.node = "n1"});
  AddPod("b", {.node = "n2", .is_terminating = true});
  SetNode("n2", "Unknown");
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, ANodeThatIsNotReadyHasFailedOnceItsPodsAreGone) {
  SetNode("n2", kNotReady);
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, ATaintedNodeHasFailedOnceItsPodsAreDeleted) {
  for (const api::Taint& taint : {kNoExecute, kNoSchedule}) {
    SetNode("n2", kReady, {taint});
    AddPod("a", {.node = "n2"});
    EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << taint.effect;
    AddPod("a", {.node = "n2", .is_terminating = true});
    EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2")) << taint.effect;
    workload_.status.unhealthy_nodes.clear();
    reported_.clear();
  }
}

TEST_F(NodeFailures, ATaintThatOnlyPrefersOtherNodesDoesNotMatter) {
  SetNode("n2", kReady, {{.key = "gone-bad", .effect = std::string(api::kPreferNoSchedule)}});
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
}

TEST_F(NodeFailures, ATaintThatPodsFlavorsOrChecksTolerateDoesNotMatter) {
  SetNode("n2", kReady, {kNoExecute});
  const api::Workload before = workload_;
  workload_.spec.pod_sets[0].template_.spec.tolerations = {Tolerating()};
  EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << "pods";
  workload_ = before;
  flavor_.spec.tolerations = {Tolerating()};
  EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << "flavor";
  flavor_.spec.tolerations = {};
  api::PodSetUpdate update{.name = "main", .tolerations = {Tolerating()}};
  workload_.status.admission_checks = {{.name = "check", .pod_set_updates = {update}}};
  EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << "check";
  workload_ = before;
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, ATaintToleratedForALimitedTimeMattersOnceItsPodsAreDeleted) {
  SetNode("n2", kReady, {kNoExecute});
  workload_.spec.pod_sets[0].template_.spec.tolerations = {Tolerating(300)};
  EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << "pods may start";
  AddPod("a", {.pinned = "n2"});
  EXPECT_THAT(UnhealthyNodes(), IsEmpty()) << "a pod waits to start";
  EXPECT_THAT(plan_.lost_pods, IsEmpty());
  AddPod("a", {.node = "n2", .pinned = "n2", .is_terminating = true});
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

// --- Gates ---------------------------------------------------------------------------------------

TEST_F(NodeFailures, TaintsDoNotMatterWithoutTASReplaceNodeOnNodeTaints) {
  policy_.minds_taints = false;
  SetNode("n2", kReady, {kNoExecute});
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
}

TEST_F(NodeFailures, PodsDoNotMatterWithoutTASReplaceNodeOnPodTermination) {
  policy_.awaits_pods = false;
  AddPod("a", {.node = "n2"});
  SetNode("n2", kNotReady, {}, 20);
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(plan_.workload.requeue_at, kNodesNow + base::Duration::Seconds(10));
  SetNode("n2", kNotReady, {}, 30);
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, ATaintFailsANodeAtOnceWithoutTASReplaceNodeOnPodTermination) {
  policy_.awaits_pods = false;
  AddPod("a", {.node = "n2"});
  SetNode("n2", kReady, {kNoSchedule});
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

TEST_F(NodeFailures, HalfAMinuteFailsANodeWithTASReplaceNodeDueToNotReadyOverFixedTime) {
  policy_.limits_not_ready = true;
  AddPod("a", {.node = "n2"});
  SetNode("n2", kNotReady, {}, 29);
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(plan_.workload.requeue_at, kNodesNow + base::Duration::Seconds(1));
  SetNode("n2", kNotReady, {}, 30);
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
}

// --- What follows --------------------------------------------------------------------------------

TEST_F(NodeFailures, ANodeThatRecoversIsNotListedAnyMore) {
  nodes_.erase("n2");
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
  SetNode("n2", kReady);
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(plan_.workload.write, lifecycle::WorkloadPlan::Write::kStatus);
}

TEST_F(NodeFailures, ANodeThatTheWorkloadDoesNotUseAnyMoreIsNotListed) {
  workload_.status.unhealthy_nodes = {{.name = "n3"}};
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
}

TEST_F(NodeFailures, NothingIsWrittenWhileAFailedNodeAwaitsItsReplacement) {
  nodes_.erase("n2");
  UnhealthyNodes();
  EXPECT_THAT(UnhealthyNodes(), ElementsAre("n2"));
  EXPECT_EQ(plan_.workload.write, lifecycle::WorkloadPlan::Write::kNothing);
}

TEST_F(NodeFailures, AnotherNodeThatFailsMeanwhileEvicts) {
  nodes_.erase("n2");
  UnhealthyNodes();
  nodes_.erase("n1");
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_EQ(EvictedReason(), "NodeFailures");
  ASSERT_EQ(plan_.workload.events.size(), 1);
  EXPECT_EQ(plan_.workload.events[0].reason, "EvictedDueToNodeFailures");
  EXPECT_THAT(plan_.workload.events[0].message, HasSubstr("Nodes failed (2): n2, n1;"));
  EXPECT_EQ(plan_.workload.reporter, "tas-resource-flavor-controller");
}

TEST_F(NodeFailures, TwoNodesThatFailTogetherEvict) {
  nodes_.clear();
  UnhealthyNodes();
  EXPECT_EQ(EvictedReason(), "NodeFailures");
  EXPECT_EQ(workload_.status.scheduling_stats->evictions[0].count, 1);
  EXPECT_THAT(NodesOf(workload_), IsEmpty()) << "evicted once";
}

TEST_F(NodeFailures, ANodeThatTheSchedulerKeepsIsReportedOnceUntilItRecovers) {
  nodes_.erase("n2");
  UnhealthyNodes();
  workload_.status.unhealthy_nodes.clear();
  EXPECT_THAT(UnhealthyNodes(), IsEmpty());
  EXPECT_THAT(plan_.failed, ElementsAre("n2"));
  SetNode("n2", kReady);
  UnhealthyNodes();
  EXPECT_THAT(plan_.failed, IsEmpty());
}

// --- Pods that cannot start ----------------------------------------------------------------------

TEST_F(NodeFailures, APodPinnedToAFailedNodeIsLost) {
  nodes_.erase("n2");
  AddPod("a", {.pinned = "n1"});
  AddPod("b", {.pinned = "n2"});
  EXPECT_THAT(LostPods(), ElementsAre("b: Node n2 failed before the pod was scheduled"));
}

TEST_F(NodeFailures, APodPinnedToANodeThatWasReplacedIsLost) {
  AddPod("a", {.pinned = "n3"});
  EXPECT_THAT(LostPods(), ElementsAre("a: Node n3 removed from the topology assignment before "
                                      "the pod was scheduled"));
}

TEST_F(NodeFailures, APodThatIsGatedBoundOrBeingDeletedIsNotLost) {
  nodes_.erase("n2");
  AddPod("a", {.pinned = "n2", .is_gated = true});
  AddPod("b", {.node = "n2", .pinned = "n2"});
  AddPod("c", {.pinned = "n2", .is_terminating = true});
  AddPod("d", {});
  EXPECT_THAT(LostPods(), IsEmpty());
}

TEST_F(NodeFailures, APodIsNotLostWhileOthersProgressOnItsNode) {
  SetNode("n2", kNotReady);
  AddPod("a", {.node = "n2"});
  AddPod("b", {.pinned = "n2"});
  EXPECT_THAT(LostPods(), IsEmpty());
}

TEST_F(NodeFailures, APodPinnedByItsOwnSelectorIsNotLostIfItsPodSetHasNoNodes) {
  nodes_.erase("n2");
  AddPod("a", {.pod_set = "racks", .pinned = "n2"});
  AddPod("b", {.pod_set = "racks", .pinned = "n3"});
  EXPECT_THAT(LostPods(), IsEmpty());
}

TEST_F(NodeFailures, APodIsLostOnANodeThatOnlyAnotherPodSetHas) {
  AssignedNodes nodes{{"n1", {"main"}}, {"n2", {"other"}}};
  AddPod("a", {.pinned = "n2"});
  AddPod("b", {.pinned = "n1"});
  EXPECT_TRUE(IsLost(pods_["a"], nodes));
  EXPECT_FALSE(IsLost(pods_["b"], nodes));
}

TEST_F(NodeFailures, NoPodIsLostByAnEviction) {
  nodes_.clear();
  AddPod("a", {.pinned = "n1"});
  EXPECT_THAT(LostPods(), IsEmpty());
}

// --- Where nodes can fail ------------------------------------------------------------------------

TEST_F(NodeFailures, AffectOnlyWorkloadsWithQuotaThatArePlacedOnNodes) {
  EXPECT_EQ(NodesOf(workload_).size(), 2);
  PlaceOn({"r1", "r2"}, "rack");
  EXPECT_THAT(NodesOf(workload_), IsEmpty());
  PlaceOn({"n1"});
  EXPECT_EQ(NodesOf(workload_).size(), 1);
  workload_.status.cluster_name = "worker";
  EXPECT_THAT(NodesOf(workload_), IsEmpty());
  workload_.status.cluster_name.reset();
  workload::MarkFinished(workload_, "Succeeded", "", kNodesNow);
  EXPECT_THAT(NodesOf(workload_), IsEmpty());
}

}  // namespace
}  // namespace berth::control
