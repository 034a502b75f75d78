// Sentences of an explanation, with an example of each: of quota, topologies, obstacles and the
// remedies for them.

#include <gtest/gtest.h>

#include "explain/report.h"
#include "explain/sentences.h"
#include "explain/topology_sentences.h"
#include "workload/testing/apply_yaml.h"

namespace berth::explain {
namespace {

using engine::Obstacle;

constexpr std::string_view kTeam = R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  queueName: main
  podSets: [{name: main, count: 16, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
)";

class ExplainMessages : public ::testing::Test {
 protected:
  ExplainMessages() {
    workload::testing::ApplyYaml(workload::testing::kFlavorAndQueue, cluster_);
    workload::testing::ApplyYaml(kTeam, cluster_);
    cluster_.Sync(base::Time::FromSeconds(1'000'000));
    report_ = MakeReport(cluster_, *cluster_.FindWorkload("team/w"));
  }

  std::string Reason(Obstacle obstacle) {
    Report report = report_;
    report.explanation = {.cluster_queue = report_.explanation.cluster_queue,
                          .obstacles = {obstacle}};
    return PendingReasons(report).front();
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  Report report_;
};

// A required level "rack", where 15 of 16 pods fit.
engine::TopologySearch Search(engine::FlavorId flavor) {
  engine::TopologyRoom room{.is_valid = true, .kind = engine::TopologyKind::kRequired, .count = 16};
  room.needed = 16;
  room.fitting = room.fitting_if_empty = 15;
  room.nodes.total = 2;
  room.levels = {engine::LevelRoom{.level = "rack", .domains = 1}};
  return {.pod_sets = {0}, .flavor = flavor, .is_chosen = true, .room = std::move(room)};
}

// clang-format off
TEST_F(ExplainMessages, OfQuota) {
  EXPECT_EQ(PendingReasons(report_).front(), "Request exceeds the maximum quota of flavor f in ClusterQueue q: 16 cpu requested, maximum 4.");
  engine::ResourceFigures& figures = report_.explanation.searches.at(0).flavors.at(0).resources.at(0);
  figures.reason = engine::WaitReason::kWaitingForQuota;
  figures.shortfall = engine::Amount(2000);
  EXPECT_EQ(PendingReasons(report_).front(), "Insufficient quota of flavor f in ClusterQueue q: 2 cpu short.");
  report_.explanation.outcome = engine::Outcome::kAdmitted;
  report_.explanation.position = {.ahead_count = 3, .status = engine::PositionStatus::kQuotaTaken};
  EXPECT_EQ(PendingReasons(report_).front(), "Quota is available now, but the workloads ahead in the queue need it.");
  report_.explanation.position.status = engine::PositionStatus::kBehindOthers;
  EXPECT_EQ(PendingReasons(report_).front(), "3 workloads ahead in the queue, which leave enough quota.");
  report_.explanation.position.status = engine::PositionStatus::kHead;
  EXPECT_EQ(PendingReasons(report_).front(), "Workload is at the head of its queue.");
}

TEST_F(ExplainMessages, OfTopologies) {
  const engine::FlavorId flavor = report_.explanation.searches.at(0).flavors.at(0).flavor;
  engine::TopologySearch search = Search(flavor);
  EXPECT_EQ(NoRoomText(report_, search), "Topology of flavor f has insufficient capacity, even without other workloads: 15 of 16 pods of podset main fit in the best domain of level rack.");
  search.room.fits_if_empty = true;
  EXPECT_EQ(NoRoomText(report_, search), "Topology of flavor f has insufficient capacity now: 15 of 16 pods of podset main fit in the best domain of level rack.");
  search.room.excluded.tainted = 2;
  EXPECT_EQ(NoRoomText(report_, search), "Topology of flavor f has no nodes for the pods of podset main: all 2 nodes with its labels are excluded.");
  EXPECT_EQ(NodeLines(report_, search).front(), "Nodes excluded (of 2): 2 with a taint that is not tolerated.");
  search.room.nodes.total = search.room.excluded.tainted = 0;
  EXPECT_EQ(NoRoomText(report_, search), "Topology of flavor f has no nodes for the pods of podset main: no node has the labels of the flavor.");
  search.room.is_valid = false;
  EXPECT_EQ(NoRoomText(report_, search), "Topology of flavor f does not support the slices of podset main: each layer must be below the previous one, not above the requested level, and its size must divide the previous size.");
}

TEST_F(ExplainMessages, OfObstacles) {
  EXPECT_EQ(Reason(Obstacle::kReplaced), "Workload slice was replaced by a newer slice of the same job.");
  EXPECT_EQ(Reason(Obstacle::kCohortCycle), "ClusterQueue q is below a cycle of cohorts.");
  EXPECT_EQ(Reason(Obstacle::kNamespaceMismatch), "Namespace team is not selected by the namespaceSelector of ClusterQueue q.");
  EXPECT_EQ(Reason(Obstacle::kInvalid), "An AdmissionCheck is in state Retry or Rejected.");
  EXPECT_EQ(Reason(Obstacle::kNotRequeued), "Requeuing is held: condition Requeued is False.");
  EXPECT_EQ(Reason(Obstacle::kBackingOff), "Requeuing back-off after eviction is not over.");
  EXPECT_EQ(Reason(Obstacle::kPreemptionGate), "Preemption is required, but the preemption gates are closed.");
}

TEST_F(ExplainMessages, OfRemediesForObstacles) {
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kReplaced), "nothing: the newer slice runs");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kCohortCycle), "give one of the cohorts above ClusterQueue q another parent");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kNamespaceMismatch), "label namespace team to match the namespaceSelector of ClusterQueue q, or widen the selector");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kInvalid), "wait until its AdmissionChecks are Ready");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kNotRequeued), "wait until condition Requeued is True");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kBackingOff), "wait until the back-off is over");
  EXPECT_EQ(ObstacleRemedyText(report_, Obstacle::kPreemptionGate), "open its preemption gates");
}
// clang-format on

}  // namespace
}  // namespace berth::explain
