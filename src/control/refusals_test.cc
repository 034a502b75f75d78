#include "control/refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/well_known.h"
#include "workload/status_changes.h"
#include "workload/testing/apply_yaml.h"

namespace berth::control {
namespace {

constexpr base::Time kLookedAt = base::Time::FromSeconds(1'000'000);

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

// Workloads "a" and "b" are equal, and too large for their queue. Only the first was looked at.
class RefusalsTest : public ::testing::Test {
 protected:
  RefusalsTest() {
    for (const std::string& yaml : {std::string(workload::testing::kFlavorAndQueue),
                                    std::string(kTeam), LargeWorkload("a"), LargeWorkload("b")})
      workload::testing::ApplyYaml(yaml, feed_);
    feed_.Sync(kLookedAt);
    for (const WorkloadChange& change : RunCycle(feed_, kLookedAt).changes)
      refusals_.Learn(change, feed_);
  }

  // As it would be if it had said so.
  api::Workload That(std::string_view name, std::string_view said) {
    api::Workload workload = *feed_.FindWorkload("team/" + std::string(name));
    workload::MarkUnreserved(workload, said, "", kLookedAt);
    return workload;
  }

  std::optional<WorkloadChange> For(const api::Workload& workload, bool has_just_joined = false) {
    return refusals_.For(workload, feed_, has_just_joined);
  }

  workload::EngineFeed feed_{api::Configuration(), api::FeatureGates()};
  Refusals refusals_;
};

TEST_F(RefusalsTest, WhatIsOutOfDateIsReplacedByTheReasonOfAnEqual) {
  const auto change = For(That("b", api::reason::kDeactivated));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->workload, "team/b");
  EXPECT_EQ(change->reason, api::reason::kExceedsMaxQuota);
  EXPECT_FALSE(For(That("b", api::reason::kExceedsMaxQuota)));
}

TEST_F(RefusalsTest, OnlyOfOneThatHasJustJoinedPeopleAreToldAndRequestsCounted) {
  const api::Workload b = That("b", api::reason::kDeactivated);
  const auto joined = For(b, true);
  const auto waited = For(b, false);
  ASSERT_TRUE(joined && waited);
  EXPECT_FALSE(joined->is_silent);
  EXPECT_THAT(joined->requests, ::testing::SizeIs(1));
  EXPECT_TRUE(waited->is_silent);
  EXPECT_EQ(waited->requests, b.status.resource_requests);
  EXPECT_NE(waited->requests, joined->requests);
}

TEST_F(RefusalsTest, WhatWasSaidOfAnotherSpecIsSaidAgain) {
  api::Workload a = That("a", api::reason::kExceedsMaxQuota);
  EXPECT_FALSE(For(a));
  a.metadata.generation += 1;
  EXPECT_TRUE(For(a));
}

TEST_F(RefusalsTest, NobodyWaitsForTheReasonOfOneThatIsGone) {
  refusals_.Forget("team/a");
  EXPECT_FALSE(For(That("b", api::reason::kDeactivated)));
}

}  // namespace
}  // namespace berth::control
