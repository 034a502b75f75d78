#include "engine/preemption/target_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;

constexpr NodeId kOwn(0), kShared(1), kOther(2);
constexpr LocalQueueId kHeavy(0), kLight(1), kLightElsewhere(2);

struct Held {
  std::string uid;
  NodeId queue = kShared;
  LocalQueueId local_queue = kLight;
  int64_t priority = 0;
  int64_t reserved_at_seconds = 0;
  bool is_evicted = false;
};

// Three queues, of which kShared orders by usage. Usage of its LocalQueues: kHeavy, then
// kLightElsewhere, then kLight, which has the same name in another namespace.
class TargetOrder : public ::testing::Test {
 protected:
  TargetOrder() {
    state.queues.resize(3);
    state.queue(kShared).spec.orders_by_usage = true;
    state.options.admission_fair_sharing = true;
    state.local_queue_usage = {10, 1, 5};
    state.local_queue_names = {0, 1, 1};
  }
  WorkloadId Add(const Held& held) {
    const WorkloadId id(static_cast<uint32_t>(state.workloads.size()));
    Workload& workload = state.workloads.emplace_back();
    workload.uid = held.uid;
    workload.cluster_queue = held.queue;
    workload.local_queue = held.local_queue;
    workload.priority = held.priority;
    workload.reservation = std::make_unique<Reservation>();
    workload.reservation->reserved_at = base::Time::FromSeconds(held.reserved_at_seconds);
    workload.reservation->is_evicted = held.is_evicted;
    return id;
  }
  std::vector<std::string> Sorted(std::vector<WorkloadId> ids) const {
    SortInTargetOrder(state, kOwn, ids);
    std::vector<std::string> uids;
    for (const WorkloadId id : ids) uids.push_back(state.workload(id).uid);
    return uids;
  }
  std::vector<std::string> Sorted() const {
    std::vector<WorkloadId> all;
    for (uint32_t i = 0; i < state.workloads.size(); ++i) all.push_back(WorkloadId(i));
    return Sorted(std::move(all));
  }

  State state;
};

TEST_F(TargetOrder, EvictedThenOtherQueuesThenLowerPriority) {
  Add({.uid = "own", .queue = kOwn, .priority = -5});
  Add({.uid = "high", .queue = kOther, .priority = 5});
  Add({.uid = "old", .queue = kOther, .reserved_at_seconds = 1});
  Add({.uid = "b-new", .queue = kOther, .reserved_at_seconds = 2});
  Add({.uid = "a-new", .queue = kOther, .reserved_at_seconds = 2});
  Add({.uid = "going", .queue = kOwn, .priority = 9, .is_evicted = true});
  EXPECT_THAT(Sorted(), ElementsAre("going", "a-new", "b-new", "old", "high", "own"));
}

TEST_F(TargetOrder, InOneQueueTheLocalQueueWithHigherUsageIsFirst) {
  Add({.uid = "light", .local_queue = kLight});
  Add({.uid = "heavy", .local_queue = kHeavy, .priority = 5});
  Add({.uid = "light-going", .local_queue = kLight, .is_evicted = true});
  EXPECT_THAT(Sorted(), ElementsAre("light-going", "heavy", "light"));
  state.queue(kShared).spec.orders_by_usage = false;
  EXPECT_THAT(Sorted(), ElementsAre("light-going", "light", "heavy"));
}

TEST_F(TargetOrder, UsageIsIgnoredWithoutAdmissionFairSharing) {
  state.options.admission_fair_sharing = false;
  Add({.uid = "light", .local_queue = kLight});
  Add({.uid = "heavy", .local_queue = kHeavy, .priority = 5});
  EXPECT_THAT(Sorted(), ElementsAre("light", "heavy"));
}

TEST_F(TargetOrder, UsageIsIgnoredBetweenLocalQueuesOfOneName) {
  Add({.uid = "used-less", .local_queue = kLight, .priority = 0});
  Add({.uid = "used-more", .local_queue = kLightElsewhere, .priority = 5});
  EXPECT_THAT(Sorted(), ElementsAre("used-less", "used-more"));
}

// Heavy before light by usage, light before middle and middle before heavy by priority.
TEST_F(TargetOrder, PriorityDecidesBetweenQueuesAndUsageWithinOne) {
  const WorkloadId heavy = Add({.uid = "heavy", .local_queue = kHeavy, .priority = 5});
  const WorkloadId light = Add({.uid = "light", .local_queue = kLight, .priority = 0});
  const WorkloadId middle = Add({.uid = "middle", .queue = kOther, .priority = 3});
  for (std::vector<WorkloadId> ids :
       {std::vector{heavy, light, middle}, std::vector{light, middle, heavy},
        std::vector{middle, heavy, light}})
    EXPECT_THAT(Sorted(ids), ElementsAre("heavy", "middle", "light"));
}

TEST_F(TargetOrder, TheResultDoesNotDependOnTheInputOrder) {
  base::Random random(7);
  std::vector<WorkloadId> ids;
  for (int i = 0; i < 200; ++i) {
    ids.push_back(Add({.uid = std::to_string(i),
                       .queue = random.Chance(2) ? kShared : kOther,
                       .local_queue = LocalQueueId(static_cast<uint32_t>(random.Below(3))),
                       .priority = random.Between(0, 9),
                       .is_evicted = random.Chance(10)}));
  }
  const std::vector<std::string> expected = Sorted(ids);
  for (int round = 0; round < 20; ++round) {
    for (size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.Below(i)]);
    EXPECT_EQ(Sorted(ids), expected);
  }
}

// Kueue's pairwise rule.
bool IsPreemptedInPair(const State& state, WorkloadId a_id, WorkloadId b_id) {
  const Workload& a = state.workload(a_id);
  const Workload& b = state.workload(b_id);
  const auto usage = [&](const Workload& w) {
    return state.local_queue_usage[w.local_queue.index()];
  };
  const bool is_usage_compared = a.reservation->is_evicted == b.reservation->is_evicted &&
                                 a.cluster_queue == b.cluster_queue &&
                                 state.queue(a.cluster_queue).spec.orders_by_usage &&
                                 state.NameOf(a.local_queue) != state.NameOf(b.local_queue);
  if (is_usage_compared && usage(a) != usage(b)) return usage(a) > usage(b);
  return IsPreemptedBefore(state, kOwn)(a_id, b_id);
}

TEST_F(TargetOrder, MatchesThePairwiseRuleWhereItIsAnOrder) {
  base::Random random(11);
  int orders = 0;
  for (int round = 0; round < 2000; ++round) {
    state.workloads.clear();
    std::vector<WorkloadId> ids;
    for (int i = 0; i < 5; ++i)
      ids.push_back(Add({.uid = std::to_string(i),
                         .queue = random.Chance(3) ? kOther : kShared,
                         .local_queue = LocalQueueId(static_cast<uint32_t>(random.Below(3))),
                         .priority = random.Between(0, 3),
                         .is_evicted = random.Chance(6)}));
    SortInTargetOrder(state, kOwn, ids);
    // The pairwise relation is an order if all numbers of wins differ.
    std::vector<size_t> wins;
    for (const WorkloadId a : ids)
      wins.push_back(static_cast<size_t>(std::ranges::count_if(
          ids, [&](WorkloadId b) { return a != b && IsPreemptedInPair(state, a, b); })));
    std::vector<size_t> distinct = wins;
    std::ranges::sort(distinct);
    if (std::ranges::adjacent_find(distinct) != distinct.end()) continue;
    ++orders;
    EXPECT_THAT(wins, ElementsAre(4, 3, 2, 1, 0)) << "round " << round;
  }
  EXPECT_GT(orders, 1000);
}

}  // namespace
}  // namespace berth::engine
