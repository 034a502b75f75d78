#include "control/report/equivalence_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

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
)";

std::string LargeWorkload(std::string_view name) {
  return R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {namespace: team, generation: 1, name: )" +
         std::string(name) + ", uid: " + std::string(name) + R"(}
spec:
  queueName: main
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 9}}}]}}}]
)";
}

// Workloads "a" and "b" are equivalent and too large for their queue. Only "a" was considered.
class EquivalenceReasonsTest : public ::testing::Test {
 protected:
  EquivalenceReasonsTest() {
    for (const std::string& yaml : {std::string(workload::testing::kFlavorAndQueue),
                                    std::string(kTeam), LargeWorkload("a"), LargeWorkload("b")})
      workload::testing::ApplyYaml(yaml, cluster_);
    cluster_.Sync(kNow);
    for (const WorkloadChange& change : RunCycle(cluster_, kNow).changes)
      equivalence_reasons_.OnUpsert(change, cluster_);
  }

  // The workload with this pending reason.
  api::Workload WithReason(std::string_view name, std::string_view reason) {
    api::Workload workload = *cluster_.FindWorkload("team/" + std::string(name));
    workload::MarkUnreserved(workload, reason, "", kNow);
    return workload;
  }

  std::optional<WorkloadChange> For(const api::Workload& workload, bool is_newly_eligible = false) {
    return equivalence_reasons_.For(workload, cluster_, is_newly_eligible);
  }

  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  EquivalenceReasons equivalence_reasons_;
};

TEST_F(EquivalenceReasonsTest, OutdatedReasonsAreReplacedByThatOfAnEquivalentWorkload) {
  const auto change = For(WithReason("b", api::reason::kDeactivated));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->workload, "team/b");
  EXPECT_EQ(change->reason, api::reason::kExceedsMaxQuota);
  EXPECT_FALSE(For(WithReason("b", api::reason::kExceedsMaxQuota)));
}

TEST_F(EquivalenceReasonsTest, OnlyNewlyEligibleWorkloadsGetEventsAndRequests) {
  const api::Workload b = WithReason("b", api::reason::kDeactivated);
  const auto joined = For(b, true);
  const auto waited = For(b, false);
  ASSERT_TRUE(joined && waited);
  EXPECT_FALSE(joined->is_silent);
  EXPECT_THAT(joined->requests, ::testing::SizeIs(1));
  EXPECT_TRUE(waited->is_silent);
  EXPECT_EQ(waited->requests, b.status.resource_requests);
  EXPECT_NE(waited->requests, joined->requests);
}

TEST_F(EquivalenceReasonsTest, ReasonsOfAnEarlierGenerationAreReplaced) {
  api::Workload a = WithReason("a", api::reason::kExceedsMaxQuota);
  EXPECT_FALSE(For(a));
  a.metadata.generation += 1;
  EXPECT_TRUE(For(a));
}

TEST_F(EquivalenceReasonsTest, WorkloadsThatWereNeverConsideredGetTheReasonWithoutAnEvent) {
  const auto first = For(*cluster_.FindWorkload("team/b"));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->reason, api::reason::kExceedsMaxQuota);
  EXPECT_THAT(first->requests, ::testing::SizeIs(1));
  EXPECT_TRUE(first->is_silent);
}

TEST_F(EquivalenceReasonsTest, AReasonStaysWhenTheWorkloadThatWasTriedLeavesTheClass) {
  api::Workload a = *cluster_.FindWorkload("team/a");
  a.spec.priority = 5;
  cluster_.Apply(a);
  cluster_.Sync(kNow);
  for (const WorkloadChange& change : RunCycle(cluster_, kNow).changes)
    equivalence_reasons_.OnUpsert(change, cluster_);
  EXPECT_TRUE(For(*cluster_.FindWorkload("team/b")));
}

TEST_F(EquivalenceReasonsTest, AReasonEndsWhenItsClassMayBeTriedAgain) {
  cluster_.Delete(api::Workload::KindInfo(), "team", "a");
  cluster_.Sync(kNow);
  EXPECT_FALSE(For(*cluster_.FindWorkload("team/b")));
}

TEST_F(EquivalenceReasonsTest, AnEarlierReasonOfTheClassIsReplaced) {
  const auto change = For(WithReason("b", api::reason::kWaitingForQuota));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->reason, api::reason::kExceedsMaxQuota);
  EXPECT_TRUE(change->is_silent);
  EXPECT_FALSE(For(WithReason("b", api::reason::kMisconfigured)));
}

TEST_F(EquivalenceReasonsTest, AnotherReasonOfTheClassIsNoticed) {
  WorkloadChange change = *For(*cluster_.FindWorkload("team/b"));
  change.is_inadmissible = true;
  EXPECT_FALSE(equivalence_reasons_.OnUpsert(change, cluster_));
  change.reason = api::reason::kWaitingForQuota;
  EXPECT_TRUE(equivalence_reasons_.OnUpsert(change, cluster_));
}

}  // namespace
}  // namespace berth::control
