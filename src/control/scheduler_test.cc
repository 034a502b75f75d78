#include "control/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using Kind = WorkloadChange::Kind;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

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
metadata: {namespace: team, name: slice, uid: slice}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
status:
  conditions:
  - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: "", lastTransitionTime: "1970-01-12T00:00:00Z"}
  admission:
    clusterQueue: q
    podSetAssignments: [{name: main, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: 1}}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  namespace: team
  name: next
  uid: next
  annotations: {kueue.x-k8s.io/workload-slice-replacement-for: team/slice}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
)";

// A cycle in which quota was reserved for the Workload "next".
class BlockedAdmission : public ::testing::Test {
 protected:
  BlockedAdmission() {
    workload::testing::ApplyYaml(workload::testing::kFlavorAndQueue, cluster_);
    workload::testing::ApplyYaml(kTeam, cluster_);
    cluster_.Sync(kNow);
    result_ = RunCycle(cluster_, kNow);
  }

  bool IsReserved() { return cluster_.engine().IsReserved(cluster_.engine().FindWorkload("next")); }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  CycleResult result_;
};

TEST_F(BlockedAdmission, StartsWithTheFirstReservation) {
  ASSERT_THAT(result_.changes, ElementsAre(Field(&WorkloadChange::kind, Kind::kReserve)));
  EXPECT_TRUE(BlockReservations(result_, false, cluster_));
  EXPECT_THAT(result_.changes, ElementsAre(Field(&WorkloadChange::kind, Kind::kReserve)));
  EXPECT_TRUE(result_.made_progress);
  EXPECT_TRUE(IsReserved());
}

TEST_F(BlockedAdmission, TurnsReservationsIntoPendingReasons) {
  EXPECT_TRUE(BlockReservations(result_, true, cluster_));
  EXPECT_THAT(result_.changes,
              ElementsAre(Field(&WorkloadChange::reason, api::reason::kWaitingForPodsReady)));
  EXPECT_FALSE(result_.made_progress);
  EXPECT_FALSE(result_.event.has_admitted);
  EXPECT_FALSE(IsReserved());
}

TEST_F(BlockedAdmission, KeepsTheSliceWhoseReplacementIsBlocked) {
  const auto holds_quota = [&] {
    return cluster_.engine().IsReserved(cluster_.engine().FindWorkload("slice"));
  };
  ASSERT_THAT(result_.changes,
              ElementsAre(Field(&WorkloadChange::follow_ups,
                                ElementsAre(Field(&WorkloadChange::workload, "team/slice")))));
  EXPECT_FALSE(holds_quota());
  BlockReservations(result_, true, cluster_);
  EXPECT_THAT(result_.changes, ElementsAre(Field(&WorkloadChange::follow_ups, IsEmpty())));
  cluster_.Sync(kNow);
  EXPECT_TRUE(holds_quota());
}

TEST_F(BlockedAdmission, LastsWhileTheWriteOfAReservationIsInFlight) {
  EXPECT_TRUE(IsAdmissionBlocked(cluster_));
  cluster_.engine().Undo(cluster_.engine().FindWorkload("next"));
  EXPECT_FALSE(IsAdmissionBlocked(cluster_));
}

}  // namespace
}  // namespace berth::control
