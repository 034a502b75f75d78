#include "control/placement/forced_deletion.h"

#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "schema/decode.h"

namespace berth::control {
namespace {

constexpr std::string_view kStuckPod = R"({"metadata": {"name": "p", "uid": "u",
    "annotations": {"kueue.x-k8s.io/safe-to-forcefully-delete": "true"},
    "deletionTimestamp": "2030-01-01T00:00:30Z", "deletionGracePeriodSeconds": 30},
    "spec": {"nodeName": "n1"}, "status": {"phase": "Running"}})";

const base::Time kDeletedAt = *base::ParseTime("2030-01-01T00:00:30Z");

base::Time After(int64_t seconds) { return kDeletedAt + base::Duration::Seconds(seconds); }

api::Pod Stuck() { return *schema::Decode<api::Pod>(kStuckPod); }

TEST(ForcedDeletion, IsDueAMinuteAfterTheGracePeriod) {
  const auto pod = StuckPod::From(Stuck());
  ASSERT_TRUE(pod.has_value());
  const ForcedDeletion early = PlanForcedDeletion(*pod, true, After(59));
  EXPECT_FALSE(early.is_due);
  EXPECT_EQ(early.requeue_at, After(60));
  EXPECT_TRUE(PlanForcedDeletion(*pod, true, After(60)).is_due);
}

TEST(ForcedDeletion, IsNotDueWhileTheNodeCanBeReached) {
  const ForcedDeletion plan = PlanForcedDeletion(*StuckPod::From(Stuck()), false, After(3600));
  EXPECT_FALSE(plan.is_due);
  EXPECT_EQ(plan.requeue_at, std::nullopt);
}

TEST(ForcedDeletion, ConcernsOnlyDeletedPodsThatStateThatItIsSafe) {
  api::Pod pod = Stuck();
  pod.metadata.annotations.Set(api::kSafeToForcefullyDeleteAnnotation, "yes");
  EXPECT_FALSE(StuckPod::From(pod).has_value());
  pod = Stuck();
  pod.metadata.annotations = {};
  EXPECT_FALSE(StuckPod::From(pod).has_value());
  pod = Stuck();
  pod.metadata.deletion_timestamp.reset();
  EXPECT_FALSE(StuckPod::From(pod).has_value());
}

TEST(ForcedDeletion, HappensOnce) {
  api::Pod pod = Stuck();
  pod.status.conditions.push_back({.type = "KueueFailureRecovery", .status = "True"});
  EXPECT_TRUE(StuckPod::From(pod)->is_marked) << "and is still to be deleted";
  pod.metadata.deletion_grace_period_seconds = 0;
  EXPECT_FALSE(StuckPod::From(pod).has_value()) << "a finalizer keeps it";
}

TEST(ForcedDeletion, NeedsTheTaintUnreachableOfAnyEffect) {
  api::Node node;
  EXPECT_FALSE(IsUnreachable(node));
  node.spec.taints.push_back({.key = "node.kubernetes.io/not-ready", .effect = "NoExecute"});
  EXPECT_FALSE(IsUnreachable(node));
  node.spec.taints.push_back({.key = "node.kubernetes.io/unreachable", .effect = "NoSchedule"});
  EXPECT_TRUE(IsUnreachable(node));
}

}  // namespace
}  // namespace berth::control
