#include "workload/constraint_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::workload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

class ConstraintMessageTest : public ::testing::Test {
 protected:
  engine::NodeId AddQueue(std::string name, engine::QueueingStrategy strategy) {
    return engine.SetClusterQueue(
        {.name = std::move(name),
         .groups = {{.resources = {cpu},
                     .flavors = {{.flavor = spot, .quotas = {{.nominal = engine::Amount(4000)}}}}}},
         .strategy = strategy});
  }
  engine::PreemptionTarget AddTarget(std::string uid, engine::NodeId queue) {
    return {engine.AddReserved({.uid = std::move(uid),
                                .local_queue = engine.LocalQueue("n/q"),
                                .cluster_queue = queue,
                                .queue_order_time = kNow,
                                .reserved_at = kNow,
                                .pod_sets = {}}),
            engine::PreemptionReason::kInClusterQueue};
  }
  std::string Message(engine::NodeId queue, const std::vector<engine::BlockedOption>& options) {
    return ConstraintMessage(engine, queue, options);
  }

  engine::Engine engine{engine::EngineOptions{}};
  engine::ResourceId cpu = engine.Resource("cpu");
  engine::FlavorId spot = engine.Flavor("spot");
  engine::NodeId best_effort = AddQueue("vision", engine::QueueingStrategy::kBestEffortFIFO);
  engine::NodeId strict = AddQueue("nightly", engine::QueueingStrategy::kStrictFIFO);
};

TEST_F(ConstraintMessageTest, NamesTheAmountToBorrow) {
  EXPECT_EQ(Message(best_effort, {{.blocked_by = {.cannot_borrow = true},
                                   .borrowed = {{spot, cpu, engine::Amount(1500)}}}}),
            "cannot-borrow: admission would borrow 1500m cpu of flavor spot, above the nominal "
            "quota of ClusterQueue vision");
  EXPECT_EQ(Message(best_effort, {{.blocked_by = {.cannot_borrow = true},
                                   .is_available = false,
                                   .borrowed = {{spot, cpu, engine::Amount(2000)}}}}),
            "cannot-borrow: admission would borrow 2 cpu of flavor spot, above the nominal "
            "quota of ClusterQueue vision (that quota is in use as well)");
}

TEST_F(ConstraintMessageTest, NamesTheConstraintsInTheirOrder) {
  const engine::BlockedOption borrow{.blocked_by = {.cannot_borrow = true},
                                     .borrowed = {{spot, cpu, engine::Amount(1500)}}};
  const engine::BlockedOption preempt{.blocked_by = {.cannot_preempt = true},
                                      .targets = {AddTarget("a", best_effort)}};
  EXPECT_THAT(ConstraintsIn(Message(strict, {borrow})), ElementsAre("cannot-borrow"));
  EXPECT_THAT(ConstraintsIn(Message(strict, {preempt})), ElementsAre("cannot-preempt"));
  EXPECT_THAT(ConstraintsIn(Message(strict, {borrow, preempt})),
              ElementsAre("cannot-preempt", "cannot-borrow"));
  EXPECT_THAT(ConstraintsIn("1 cpu short in flavor cannot-borrow"), IsEmpty());
}

TEST_F(ConstraintMessageTest, CountsPreemptionTargetsWithoutNamingThem) {
  EXPECT_EQ(
      Message(best_effort, {{.blocked_by = {.cannot_preempt = true},
                             .targets = {AddTarget("a", best_effort), AddTarget("b", strict)}}}),
      "cannot-preempt: admission would preempt 2 workloads of ClusterQueues nightly and "
      "vision");
}

TEST_F(ConstraintMessageTest, MentionsABlockedStrictFIFOQueue) {
  EXPECT_EQ(Message(strict, {{.blocked_by = {.cannot_preempt = true},
                              .targets = {AddTarget("a", strict)}}}),
            "cannot-preempt: admission would preempt 1 workload of ClusterQueue nightly. "
            "ClusterQueue nightly is StrictFIFO: workloads behind this one wait until it is "
            "admitted");
}

TEST_F(ConstraintMessageTest, NamesEveryBlockedOption) {
  const std::vector<engine::BlockedOption> options = {
      {.blocked_by = {.cannot_preempt = true}, .targets = {AddTarget("a", best_effort)}},
      {.blocked_by = {.cannot_borrow = true}, .borrowed = {{spot, cpu, engine::Amount(1000)}}}};
  EXPECT_EQ(Message(best_effort, options),
            "cannot-preempt: admission would preempt 1 workload of ClusterQueue vision; or "
            "cannot-borrow: admission would borrow 1 cpu of flavor spot, above the nominal quota "
            "of ClusterQueue vision");
  EXPECT_THAT(ConstraintNames(BlockingConstraints(options)),
              ElementsAre("cannot-preempt", "cannot-borrow"));
  EXPECT_THAT(ConstraintNames({}), IsEmpty());
}

}  // namespace
}  // namespace berth::workload
