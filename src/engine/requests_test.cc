// Requests beyond plain amounts: parts shared by pods, pods that are not counted, missing claims.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/engine.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

TEST(AmountFor, ScalesWithThePodsExceptForTheSharedPart) {
  EXPECT_EQ(AmountFor({.resource = ResourceId(0), .amount = 40}, 4, 3), 30);
  EXPECT_EQ(AmountFor({.resource = ResourceId(0), .amount = 42, .shared = 2}, 4, 3), 32);
  EXPECT_EQ(AmountFor({.resource = ResourceId(0), .amount = 42, .shared = 2}, 4, 0), 2);
}

TEST(AmountFor, IsTheSameForAsManyPods) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(AmountFor({.resource = ResourceId(0), .amount = kMost, .shared = 5}, 3, 3), kMost);
  EXPECT_EQ(AmountFor({.resource = ResourceId(0), .amount = 7}, 0, 2), 7);
}

class RequestsTest : public ::testing::Test {
 protected:
  NodeId AddQueue(bool counts_pods, QueueingStrategy strategy = QueueingStrategy::kBestEffortFIFO) {
    return engine.SetClusterQueue(
        {.name = "q",
         .cohort = "",
         .groups = {{.resources = {gpu, engine.Resource("pods")},
                     .flavors = {{.flavor = engine.Flavor("f"),
                                  .quotas = {{.nominal = Amount(9)}, {.nominal = Amount(2)}}}}}},
         .strategy = strategy,
         .counts_pods = counts_pods});
  }

  PendingSpec Pending(std::string uid, NodeId queue, int32_t count, Request request) {
    return {.uid = std::move(uid),
            .local_queue = engine.LocalQueue("ns/lq"),
            .cluster_queue = queue,
            .queue_order_time = kNow,
            .shape = {
                .pod_sets =
                    {{.count = count, .full_count = count, .min_count = 1, .requests = {request}}},
                .priority = 0,
                .key = {1, static_cast<uint64_t>(count)}}};
  }

  Engine engine{EngineOptions{}};
  ResourceId gpu = engine.Resource("gpu");
};

TEST_F(RequestsTest, PodCountIsIgnoredIfTheQueueDoesNotCountPods) {
  const NodeId queue = AddQueue(false);
  const WorkloadId id = engine.AddPending(Pending("a", queue, 3, {gpu, 3}), kNow);
  engine.RunCycle(kNow);
  EXPECT_THAT(engine.AssignmentOf(id)[0].resources,
              ElementsAre(ResourceAssignment{gpu, engine.Flavor("f"), 3}));
}

TEST_F(RequestsTest, PodCountCountsByDefault) {
  const NodeId queue = AddQueue(true);
  const WorkloadId id = engine.AddPending(Pending("a", queue, 3, {gpu, 3}), kNow);
  engine.RunCycle(kNow);
  EXPECT_EQ(engine.AssignmentOf(id)[0].count, 2);
}

TEST_F(RequestsTest, SharedPartDoesNotShrinkWithThePods) {
  const NodeId queue = AddQueue(false);
  const WorkloadId id = engine.AddPending(
      Pending("a", queue, 10, {.resource = gpu, .amount = 24, .shared = 4}), kNow);
  engine.RunCycle(kNow);
  EXPECT_EQ(engine.AssignmentOf(id)[0].count, 2);
  EXPECT_EQ(engine.AssignmentOf(id)[0].resources[0].amount, 8);
}

TEST_F(RequestsTest, AMissingClaimDoesNotBlockOthers) {
  const NodeId queue = AddQueue(true, QueueingStrategy::kStrictFIFO);
  PendingSpec first = Pending("a", queue, 1, {gpu, 1});
  first.lacks_claim = true;
  const WorkloadId lacking = engine.AddPending(first, kNow);
  const WorkloadId next = engine.AddPending(Pending("b", queue, 2, {gpu, 2}), kNow);
  EXPECT_EQ(engine.RunCycle(kNow)[0].outcome, Outcome::kClaimMissing);
  engine.RunCycle(kNow);
  EXPECT_TRUE(engine.IsReserved(next));
  engine.Remove(next);
  EXPECT_THAT(engine.InadmissibleIn(queue),
              ElementsAre(lacking));  // freed quota does not requeue it
  engine.UpdatePending(lacking, Pending("a", queue, 1, {gpu, 1}), kNow);
  EXPECT_EQ(engine.RunCycle(kNow)[0].outcome, Outcome::kAdmitted);
}

}  // namespace
}  // namespace berth::engine
