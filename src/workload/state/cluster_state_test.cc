// Which changes reach the engine and which do not.

#include "workload/state/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/convert/convert_admission.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

constexpr std::string_view kLocalQueue = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team}
spec: {clusterQueue: q}
)";
std::string Workload(std::string_view name, int cpu) {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: )" +
         std::string(name) + ", uid: " + std::string(name) + R"(}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: )" +
         std::to_string(cpu) + "}}}]}}}]\n";
}

class ClusterStateTest : public ::testing::Test {
 protected:
  ClusterStateTest() {
    Apply(testing::kFlavorAndQueue);
    Apply(kLocalQueue);
  }

  void Apply(std::string_view yaml) {
    testing::ApplyYaml(yaml, cluster_);
    cluster_.Sync(kNow);
  }

  engine::NodeId Queue() { return cluster_.engine().FindClusterQueue("q"); }
  size_t Active() { return cluster_.engine().CountPending(Queue()).active; }
  size_t Inadmissible() { return cluster_.engine().CountPending(Queue()).inadmissible; }

  ClusterState cluster_{api::Configuration(), api::FeatureGates()};
};

TEST_F(ClusterStateTest, KeepsAnInadmissibleWorkloadInadmissibleOnAnIrrelevantChange) {
  Apply(Workload("w", 9));
  cluster_.engine().RunCycle(kNow);
  ASSERT_EQ(Inadmissible(), 1u);
  api::Workload workload = *cluster_.FindWorkload("team/w");
  workload.status.conditions.push_back({.type = "QuotaReserved",
                                        .status = "False",
                                        .reason = "Pending",
                                        .message = "no",
                                        .extra = {}});
  workload.metadata.resource_version = "2";
  cluster_.Apply(workload);
  cluster_.Sync(kNow);
  EXPECT_EQ(Inadmissible(), 1u);
}

TEST_F(ClusterStateTest, RequeuesAnInadmissibleWorkloadIfItsRequestsChange) {
  Apply(Workload("w", 9));
  cluster_.engine().RunCycle(kNow);
  Apply(Workload("w", 3));
  EXPECT_EQ(Active(), 1u);
}

TEST_F(ClusterStateTest, RequeuesInadmissibleWorkloadsAndTheirShapeIfAFlavorChanges) {
  const auto flavor = [&](std::string_view spec) {
    Apply("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\nspec: {" +
          std::string(spec) + "}\n");
  };
  flavor("nodeTaints: [{key: spot, value: 'true', effect: NoSchedule}]");
  Apply(Workload("w", 1));
  Apply(Workload("equal", 1));
  cluster_.engine().RunCycle(kNow);
  ASSERT_EQ(Inadmissible(), 2u);
  flavor("");
  EXPECT_EQ(Active(), 2u);
  Apply(Workload("later", 1));
  EXPECT_EQ(Active(), 3u);
}

TEST_F(ClusterStateTest, IgnoresADecisionOfTheEngineThatComesBack) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = cluster_.engine().RunCycle(kNow)[0].workload;
  api::Workload workload = cluster_.WorkloadOf(id);
  MarkReserved(workload, ToAdmission(cluster_.engine(), id, workload), kNow);
  cluster_.Apply(workload);
  cluster_.Sync(kNow);
  EXPECT_THAT(cluster_.engine().ReservedIn(Queue()), ElementsAre(id));
  EXPECT_TRUE(HoldsQuota(*cluster_.FindWorkload("team/w")));
}

TEST_F(ClusterStateTest, KeepsAReservationInFlightWhateverElseChanges) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = cluster_.engine().RunCycle(kNow)[0].workload;
  ASSERT_TRUE(cluster_.engine().IsReserved(id));
  std::string bigger(testing::kFlavorAndQueue);
  Apply(bigger.replace(bigger.find("nominalQuota: 4"), 15, "nominalQuota: 5"));
  Apply(R"({apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {a: b}}})");
  std::string stopped(kLocalQueue);
  Apply(stopped.replace(stopped.find("clusterQueue: q"), 15, "clusterQueue: q, stopPolicy: Hold"));
  EXPECT_THAT(cluster_.engine().ReservedIn(Queue()), ElementsAre(id));
  // Its write has failed, so the change counts.
  cluster_.engine().Undo(id);
  cluster_.Apply(api::Workload(*cluster_.FindWorkload("team/w")));
  cluster_.Sync(kNow);
  EXPECT_EQ(Active(), 0u);
}

TEST_F(ClusterStateTest, DropsAReservationInFlightWithItsQueue) {
  Apply(Workload("w", 3));
  cluster_.engine().RunCycle(kNow);
  cluster_.Delete(api::ClusterQueue::KindInfo(), "", "q");
  cluster_.Sync(kNow);
  EXPECT_TRUE(cluster_.engine().FindWorkload("w").is_none());
}

TEST_F(ClusterStateTest, ReleasesQuotaThatTheStatusNoLongerReserves) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = cluster_.engine().RunCycle(kNow)[0].workload;
  api::Workload workload = cluster_.WorkloadOf(id);
  MarkReserved(workload, ToAdmission(cluster_.engine(), id, workload), kNow);
  cluster_.Apply(workload);
  cluster_.Sync(kNow);
  MarkPreempted(workload, "InClusterQueue", "", kNow);
  MarkStopped(workload, kNow);
  cluster_.Apply(workload);
  cluster_.Sync(kNow);
  EXPECT_THAT(cluster_.engine().ReservedIn(Queue()), IsEmpty());
  EXPECT_EQ(Active(), 1u);
}

TEST_F(ClusterStateTest, TellsWorkloadsOfOneNameApartByUid) {
  Apply(Workload("w", 3));
  const engine::WorkloadId id = cluster_.engine().RunCycle(kNow)[0].workload;
  ASSERT_TRUE(cluster_.engine().IsReserved(id));
  api::Workload next = *cluster_.FindWorkload("team/w");
  next.metadata.uid = "next";
  cluster_.Apply(next);
  cluster_.Sync(kNow);
  EXPECT_THAT(cluster_.engine().ReservedIn(Queue()), IsEmpty());
  EXPECT_EQ(Active(), 1u);
  EXPECT_TRUE(cluster_.engine().FindWorkload("w").is_none());
}

TEST_F(ClusterStateTest, KeepsAQueueThatIsDeletedAndRecreated) {
  Apply(Workload("w", 3));
  cluster_.Delete(api::ClusterQueue::KindInfo(), "", "q");
  Apply(testing::kFlavorAndQueue);
  EXPECT_EQ(Active(), 1u);
}

TEST_F(ClusterStateTest, IgnoresTheDeletionOfUnknownObjects) {
  for (const schema::Kind* kind :
       {&api::Workload::KindInfo(), &api::ClusterQueue::KindInfo(), &api::Cohort::KindInfo(),
        &api::LocalQueue::KindInfo(), &api::ResourceFlavor::KindInfo(),
        &api::AdmissionCheck::KindInfo(), &api::Topology::KindInfo(), &api::Namespace::KindInfo(),
        &api::LimitRange::KindInfo(), &api::RuntimeClass::KindInfo()})
    cluster_.Delete(*kind, "team", "none");
  cluster_.Sync(kNow);
  EXPECT_EQ(Active(), 0u);
}

TEST_F(ClusterStateTest, ReportsWhyAQueueIsInactive) {
  EXPECT_EQ(cluster_.InactiveReason("q"), "");
  cluster_.Delete(api::ResourceFlavor::KindInfo(), "", "f");
  cluster_.Sync(kNow);
  EXPECT_EQ(cluster_.InactiveReason("q"), "FlavorNotFound");
}

TEST_F(ClusterStateTest, AddsTheOverheadOfARuntimeClass) {
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, name: w, uid: w}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {runtimeClassName: sealed, containers: [
    {name: c, resources: {requests: {cpu: 3}}}]}}}]
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sealed}
handler: sealed
overhead: {podFixed: {cpu: 2}}
)");
  EXPECT_EQ(cluster_.engine().RunCycle(kNow)[0].outcome, engine::Outcome::kNoFit);
  cluster_.Delete(api::RuntimeClass::KindInfo(), "", "sealed");
  cluster_.Sync(kNow);
  EXPECT_EQ(cluster_.engine().RunCycle(kNow)[0].outcome, engine::Outcome::kAdmitted);
}

}  // namespace
}  // namespace berth::workload
