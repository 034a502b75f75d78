#include "engine/queue/pending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/testing/pending_walk.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr NodeId kQueue(0), kOther(1);
constexpr LocalQueueId kMorning(0), kEvening(1);
constexpr base::Time kNoon = base::Time::FromSeconds(43200);

struct Job {
  std::string uid;
  int64_t priority = 0;
  int64_t age_seconds = 0;
  uint64_t shape = 0;  // 0: equal to no other
  LocalQueueId local_queue = kMorning;
  NodeId queue = kQueue;
};

class PendingTest : public ::testing::Test {
 protected:
  PendingTest() : pending(state) {
    state.queues.resize(2);
    state.local_queue_usage.resize(2);
  }

  // Adds a workload to the state only.
  WorkloadId Make(const Job& job) {
    const WorkloadId id(static_cast<uint32_t>(state.workloads.size()));
    Workload& workload = state.workloads.emplace_back();
    workload.uid = job.uid;
    workload.cluster_queue = job.queue;
    workload.local_queue = job.local_queue;
    workload.priority = job.priority;
    workload.queue_order_time = kNoon - base::Duration::Seconds(job.age_seconds);
    workload.shape = state.shapes.Acquire(
        {.pod_sets = {}, .priority = job.priority, .key = {.high = 0, .low = job.shape}});
    return id;
  }
  WorkloadId Add(const Job& job) {
    const WorkloadId id = Make(job);
    pending.Add(id);
    return id;
  }
  void AddMany(int count, const Job& job) {
    for (int i = 0; i < count; ++i) {
      Job copy = job;
      copy.uid += std::to_string(i);
      copy.age_seconds += count - i;
      Add(copy);
    }
  }
  void SetStrategy(QueueingStrategy strategy) {
    state.queue(kQueue).spec.strategy = strategy;
    pending.QueueChanged(kQueue);
  }
  void OrderByUsage(double morning, double evening) {
    state.options.admission_fair_sharing = true;
    state.queue(kQueue).spec.orders_by_usage = true;
    pending.QueueChanged(kQueue);
    state.local_queue_usage = {morning, evening};
  }
  void MakeSticky(WorkloadId id) {
    state.queue(kQueue).preemptor = id;
    state.queue(kQueue).is_preemptor_sticky = true;
  }

  std::vector<std::string> Uids(const std::vector<WorkloadId>& ids) const {
    std::vector<std::string> uids;
    for (const WorkloadId id : ids) uids.push_back(state.workload(id).uid);
    return uids;
  }
  std::vector<std::string> Active(NodeId queue = kQueue) const {
    return Uids(pending.Active(queue));
  }
  std::vector<std::string> Inadmissible(NodeId queue = kQueue) const {
    return Uids(pending.Inadmissible(queue));
  }

  State state;
  PendingQueues pending;
};

// --- Order ---------------------------------------------------------------------------------------

using PendingOrder = PendingTest;

TEST_F(PendingOrder, HigherPriorityThenOlderThenSmallerUid) {
  Add({.uid = "b"});
  Add({.uid = "a"});
  Add({.uid = "old", .age_seconds = 60});
  Add({.uid = "urgent", .priority = 1});
  EXPECT_THAT(Active(), ElementsAre("urgent", "old", "a", "b"));
}

TEST_F(PendingOrder, ANewFirstOfItsShapePrecedesOtherShapes) {
  Add({.uid = "a-old", .priority = 1, .shape = 1});
  Add({.uid = "b", .priority = 2, .shape = 2});
  const WorkloadId newest = Add({.uid = "a-new", .priority = 3, .shape = 1});
  EXPECT_EQ(pending.Head(kQueue), newest);
  EXPECT_THAT(Active(), ElementsAre("a-new", "b", "a-old"));
}

TEST_F(PendingOrder, TheHeadStaysUntilItIsRemoved) {
  const WorkloadId first = Add({.uid = "first", .age_seconds = 2});
  const WorkloadId second = Add({.uid = "second", .age_seconds = 1});
  EXPECT_EQ(pending.Head(kQueue), first);
  EXPECT_EQ(pending.Head(kQueue), first);
  pending.Remove(first);
  EXPECT_EQ(pending.Head(kQueue), second);
  pending.Remove(second);
  EXPECT_TRUE(pending.Head(kQueue).is_none());
}

TEST_F(PendingOrder, QueuesAreSeparate) {
  const WorkloadId mine = Add({.uid = "mine"});
  const WorkloadId theirs = Add({.uid = "theirs", .priority = 9, .queue = kOther});
  EXPECT_EQ(pending.Head(kQueue), mine);
  EXPECT_EQ(pending.Head(kOther), theirs);
}

TEST_F(PendingOrder, AnUnusedQueueIsEmpty) {
  constexpr NodeId kUnknown(77);
  EXPECT_TRUE(pending.Head(kUnknown).is_none());
  EXPECT_EQ(pending.ActiveCount(kUnknown), 0u);
  EXPECT_EQ(pending.InadmissibleCount(kUnknown), 0u);
  EXPECT_THAT(pending.Active(kUnknown), IsEmpty());
  EXPECT_THAT(pending.Inadmissible(kUnknown), IsEmpty());
  pending.RequeueInadmissible(kUnknown);
}

// --- The sticky preemptor ------------------------------------------------------------------------

using StickyPreemptor = PendingTest;

TEST_F(StickyPreemptor, BeatsHigherPriority) {
  Add({.uid = "urgent", .priority = 9});
  const WorkloadId preemptor = Add({.uid = "preemptor"});
  MakeSticky(preemptor);
  EXPECT_EQ(pending.Head(kQueue), preemptor);
  EXPECT_THAT(Active(), ElementsAre("preemptor", "urgent"));
}

TEST_F(StickyPreemptor, LosesPrecedenceWithTheMark) {
  const WorkloadId urgent = Add({.uid = "urgent", .priority = 9});
  MakeSticky(Add({.uid = "preemptor"}));
  state.queue(kQueue).is_preemptor_sticky = false;
  EXPECT_EQ(pending.Head(kQueue), urgent);
}

TEST_F(StickyPreemptor, IsNotHeadWhileInadmissible) {
  const WorkloadId other = Add({.uid = "other"});
  const WorkloadId preemptor = Add({.uid = "preemptor", .shape = 1});
  MakeSticky(preemptor);
  pending.MarkShapeInadmissible(preemptor);
  EXPECT_EQ(pending.Head(kQueue), other);
}

TEST_F(StickyPreemptor, IsNotHeadOfAnotherQueue) {
  const WorkloadId other = Add({.uid = "other"});
  MakeSticky(Add({.uid = "moved", .priority = 9, .queue = kOther}));
  EXPECT_EQ(pending.Head(kQueue), other);
}

TEST_F(StickyPreemptor, ComesAfterTheUsageOfItsLocalQueue) {
  OrderByUsage(1, 2);
  const WorkloadId modest = Add({.uid = "modest", .local_queue = kMorning});
  const WorkloadId greedy = Add({.uid = "greedy", .local_queue = kEvening});
  MakeSticky(greedy);
  EXPECT_EQ(pending.Head(kQueue), modest);
  state.local_queue_usage[kEvening.index()] = 1;
  EXPECT_EQ(pending.Head(kQueue), greedy);
}

// --- Inadmissible shapes -------------------------------------------------------------------------

using MarkShapeInadmissible = PendingTest;

TEST_F(MarkShapeInadmissible, AppliesToAllOfTheShape) {
  const WorkloadId first = Add({.uid = "a1", .shape = 1});
  Add({.uid = "a2", .shape = 1});
  Add({.uid = "b", .shape = 2});
  pending.MarkShapeInadmissible(first);
  EXPECT_THAT(Active(), ElementsAre("b"));
  EXPECT_THAT(Inadmissible(), ElementsAre("a1", "a2"));
  EXPECT_EQ(pending.ActiveCount(kQueue), 1u);
  EXPECT_EQ(pending.InadmissibleCount(kQueue), 2u);
}

TEST_F(MarkShapeInadmissible, AppliesToLaterArrivals) {
  const WorkloadId first = Add({.uid = "first", .shape = 1});
  pending.MarkShapeInadmissible(first);
  Add({.uid = "later", .priority = 9, .shape = 1});
  EXPECT_THAT(Inadmissible(), ElementsAre("later", "first"));
}

TEST_F(MarkShapeInadmissible, PersistsWithoutWorkloadsOfTheShape) {
  const WorkloadId first = Add({.uid = "first", .shape = 1});
  pending.MarkShapeInadmissible(first);
  pending.Remove(first);
  const WorkloadId later = Add({.uid = "later", .shape = 1});
  EXPECT_FALSE(pending.IsActive(later));
  pending.Remove(later);
  pending.RequeueInadmissible(kQueue);
  EXPECT_TRUE(pending.IsActive(Add({.uid = "after", .shape = 1})));
}

TEST_F(MarkShapeInadmissible, DoesNotAffectOtherQueues) {
  const WorkloadId here = Add({.uid = "here", .shape = 1});
  const WorkloadId there = Add({.uid = "there", .shape = 1, .queue = kOther});
  pending.MarkShapeInadmissible(here);
  EXPECT_TRUE(pending.IsActive(there));
  EXPECT_TRUE(pending.IsActive(Add({.uid = "later", .shape = 1, .queue = kOther})));
}

TEST_F(MarkShapeInadmissible, AppliesToOneWorkloadWithoutKey) {
  const WorkloadId first = Add({.uid = "first", .shape = 0});
  Add({.uid = "second", .shape = 0});
  pending.MarkShapeInadmissible(first);
  Add({.uid = "third", .shape = 0});
  EXPECT_THAT(Active(), ElementsAre("second", "third"));
  EXPECT_THAT(Inadmissible(), ElementsAre("first"));
}

TEST_F(MarkShapeInadmissible, AppliesToOneWorkloadWithoutTheGate) {
  state.options.scheduling_equivalence_hashing = false;
  const WorkloadId first = Add({.uid = "first", .shape = 1});
  Add({.uid = "second", .shape = 1});
  pending.MarkShapeInadmissible(first);
  Add({.uid = "third", .shape = 1});
  EXPECT_THAT(Active(), ElementsAre("second", "third"));
}

TEST_F(MarkShapeInadmissible, AppliesToOneWorkloadInAStrictFifoQueue) {
  SetStrategy(QueueingStrategy::kStrictFIFO);
  const WorkloadId first = Add({.uid = "first", .shape = 1});
  Add({.uid = "second", .shape = 1});
  pending.MarkShapeInadmissible(first);
  Add({.uid = "third", .shape = 1});
  EXPECT_THAT(Active(), ElementsAre("second", "third"));
}

TEST_F(MarkShapeInadmissible, DoesNotAffectHeldWorkloads) {
  const WorkloadId held = Add({.uid = "held", .shape = 1});
  pending.Hold(held);
  pending.MarkShapeInadmissible(Add({.uid = "first", .shape = 1}));
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(), ElementsAre("first"));
  EXPECT_THAT(Inadmissible(), ElementsAre("held"));
}

using MarkInadmissible = PendingTest;

TEST_F(MarkInadmissible, KeepsEquivalentWorkloadsActive) {
  const WorkloadId first = Add({.uid = "first", .shape = 1});
  Add({.uid = "second", .shape = 1});
  pending.MarkInadmissible(first);
  Add({.uid = "third", .shape = 1});
  EXPECT_THAT(Active(), ElementsAre("second", "third"));
  EXPECT_THAT(Inadmissible(), ElementsAre("first"));
}

TEST_F(MarkInadmissible, IsRequeuedWithItsShape) {
  const WorkloadId alone = Add({.uid = "alone", .shape = 1});
  pending.MarkInadmissible(alone);
  pending.MarkShapeInadmissible(Add({.uid = "equal", .shape = 1}));
  EXPECT_THAT(Inadmissible(), ElementsAre("alone", "equal"));
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(), ElementsAre("alone", "equal"));
  pending.MarkShapeInadmissible(alone);
  EXPECT_THAT(Active(), IsEmpty());
}

// --- Requeuing -----------------------------------------------------------------------------------

using RequeueInadmissible = PendingTest;

TEST_F(RequeueInadmissible, RestoresTheOrder) {
  AddMany(3, {.uid = "a", .shape = 1});
  AddMany(2, {.uid = "b", .priority = 1, .shape = 2});
  pending.MarkShapeInadmissible(pending.Head(kQueue));
  pending.MarkShapeInadmissible(pending.Head(kQueue));
  ASSERT_THAT(Active(), IsEmpty());
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(), ElementsAre("b0", "b1", "a0", "a1", "a2"));
  EXPECT_THAT(Inadmissible(), IsEmpty());
}

TEST_F(RequeueInadmissible, ClearsInadmissibleShapes) {
  pending.MarkShapeInadmissible(Add({.uid = "first", .shape = 1}));
  pending.RequeueInadmissible(kQueue);
  EXPECT_TRUE(pending.IsActive(Add({.uid = "later", .shape = 1})));
}

TEST_F(RequeueInadmissible, DoesNotAffectOtherQueues) {
  pending.MarkShapeInadmissible(Add({.uid = "here", .shape = 1}));
  pending.MarkShapeInadmissible(Add({.uid = "there", .shape = 1, .queue = kOther}));
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(kQueue), ElementsAre("here"));
  EXPECT_THAT(Inadmissible(kOther), ElementsAre("there"));
}

TEST_F(RequeueInadmissible, ComparesOnceForAnyNumberOfWorkloads) {
  for (const uint64_t count : {10u, 100u, 1000u}) {
    // Two of each shape; one of another shape stays active.
    for (uint64_t shape = 1; shape <= count; ++shape) {
      const std::string uid = std::to_string(shape);
      Add({.uid = uid + "x", .shape = shape});
      pending.MarkShapeInadmissible(Add({.uid = uid + "y", .shape = shape}));
    }
    const WorkloadId active = Add({.uid = "active", .shape = count + 1});
    const uint64_t before = pending.comparisons();
    pending.RequeueInadmissible(kQueue);
    EXPECT_EQ(pending.comparisons() - before, 1u);
    EXPECT_EQ(pending.InadmissibleCount(kQueue), 0u);
    for (const WorkloadId id : pending.Active(kQueue)) pending.Remove(id);
    EXPECT_FALSE(pending.Contains(active));
  }
}

TEST_F(RequeueInadmissible, MarkingAShapeComparesIndependentlyOfItsSize) {
  std::vector<uint64_t> comparisons;
  for (const int count : {10, 100, 1000}) {
    AddMany(count, {.uid = "equal", .shape = 1});
    Add({.uid = "other", .priority = -1, .shape = 2});
    const uint64_t before = pending.comparisons();
    pending.MarkShapeInadmissible(pending.Head(kQueue));
    comparisons.push_back(pending.comparisons() - before);
    EXPECT_THAT(Active(), ElementsAre("other"));
    pending.RequeueInadmissible(kQueue);
    for (const WorkloadId id : pending.Active(kQueue)) pending.Remove(id);
  }
  EXPECT_THAT(comparisons, ElementsAre(0, 0, 0));
}

// --- Held and backing off ------------------------------------------------------------------------

using DeferredWorkload = PendingTest;

TEST_F(DeferredWorkload, AHeldWorkloadIsInadmissibleUntilRelease) {
  const WorkloadId held = Make({.uid = "held"});
  pending.Hold(held);
  pending.RequeueInadmissible(kQueue);
  pending.AdvanceTo(kNoon);
  EXPECT_THAT(Inadmissible(), ElementsAre("held"));
  pending.Release(held);
  EXPECT_THAT(Active(), ElementsAre("held"));
}

TEST_F(DeferredWorkload, ABackOffEndsAtItsTime) {
  pending.BackOff(Make({.uid = "late"}), kNoon + base::Duration::Seconds(2));
  pending.BackOff(Make({.uid = "soon"}), kNoon + base::Duration::Seconds(1));
  pending.RequeueInadmissible(kQueue);
  pending.AdvanceTo(kNoon + base::Duration::Milliseconds(999));
  EXPECT_THAT(Inadmissible(), ElementsAre("late", "soon"));
  pending.AdvanceTo(kNoon + base::Duration::Seconds(1));
  EXPECT_THAT(Active(), ElementsAre("soon"));
  pending.AdvanceTo(kNoon + base::Duration::Seconds(5));
  EXPECT_THAT(Active(), ElementsAre("late", "soon"));
}

TEST_F(DeferredWorkload, TheLastBackOffWins) {
  const WorkloadId id = Add({.uid = "a"});
  pending.BackOff(id, kNoon);
  pending.BackOff(id, kNoon + base::Duration::Seconds(1));
  pending.AdvanceTo(kNoon);
  EXPECT_FALSE(pending.IsActive(id));
  pending.AdvanceTo(kNoon + base::Duration::Seconds(1));
  EXPECT_TRUE(pending.IsActive(id));
}

TEST_F(DeferredWorkload, StaysInadmissibleWithItsShapeAfterRelease) {
  const WorkloadId backing_off = Add({.uid = "backing-off", .shape = 1});
  pending.BackOff(backing_off, kNoon);
  pending.MarkShapeInadmissible(Add({.uid = "equal", .shape = 1}));
  pending.AdvanceTo(kNoon);
  EXPECT_THAT(Active(), IsEmpty());
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(), ElementsAre("backing-off", "equal"));
}

TEST_F(DeferredWorkload, ReleaseIsANoOpForOtherWorkloads) {
  const WorkloadId inadmissible = Add({.uid = "inadmissible", .shape = 1});
  pending.MarkShapeInadmissible(inadmissible);
  pending.Release(inadmissible);
  EXPECT_FALSE(pending.IsActive(inadmissible));
  const WorkloadId active = Add({.uid = "active"});
  pending.Release(active);
  EXPECT_TRUE(pending.IsActive(active));
}

// --- Queues that order by usage ------------------------------------------------------------------

using UsageLanes = PendingTest;

TEST_F(UsageLanes, TheLocalQueueWithLowerUsageIsFirst) {
  OrderByUsage(2, 1);
  Add({.uid = "m-urgent", .priority = 9, .local_queue = kMorning});
  Add({.uid = "e-late", .local_queue = kEvening});
  Add({.uid = "e-early", .age_seconds = 1, .local_queue = kEvening});
  EXPECT_THAT(Active(), ElementsAre("e-early", "e-late", "m-urgent"));
  EXPECT_EQ(Uids({pending.Head(kQueue)}), Uids({pending.Active(kQueue).front()}));
}

TEST_F(UsageLanes, UsageMayChangeAtAnyTime) {
  OrderByUsage(1, 2);
  const WorkloadId morning = Add({.uid = "morning", .local_queue = kMorning});
  const WorkloadId evening = Add({.uid = "evening", .local_queue = kEvening});
  EXPECT_EQ(pending.Head(kQueue), morning);
  state.local_queue_usage[kMorning.index()] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pending.Head(kQueue), evening);
}

TEST_F(UsageLanes, EqualUsageLeavesTheUsualOrder) {
  OrderByUsage(1, 1);
  Add({.uid = "morning", .local_queue = kMorning});
  const WorkloadId evening = Add({.uid = "evening", .priority = 1, .local_queue = kEvening});
  EXPECT_EQ(pending.Head(kQueue), evening);
}

TEST_F(UsageLanes, ALocalQueueWithoutActiveWorkloadsIsSkipped) {
  OrderByUsage(1, 2);
  pending.MarkShapeInadmissible(Add({.uid = "morning", .shape = 1, .local_queue = kMorning}));
  const WorkloadId evening = Add({.uid = "evening", .shape = 2, .local_queue = kEvening});
  EXPECT_EQ(pending.Head(kQueue), evening);
}

TEST_F(UsageLanes, AShapeIsInadmissibleInAllLocalQueues) {
  OrderByUsage(1, 2);
  Add({.uid = "evening", .shape = 1, .local_queue = kEvening});
  pending.MarkShapeInadmissible(Add({.uid = "morning", .shape = 1, .local_queue = kMorning}));
  EXPECT_THAT(Inadmissible(), ElementsAre("morning", "evening"));
  pending.RequeueInadmissible(kQueue);
  EXPECT_THAT(Active(), ElementsAre("morning", "evening"));
}

TEST_F(UsageLanes, AShapeIsInadmissibleInLaterLocalQueues) {
  OrderByUsage(1, 2);
  pending.MarkShapeInadmissible(Add({.uid = "morning", .shape = 1, .local_queue = kMorning}));
  const WorkloadId evening = Add({.uid = "evening", .shape = 1, .local_queue = kEvening});
  EXPECT_FALSE(pending.IsActive(evening));
  pending.RequeueInadmissible(kQueue);
  EXPECT_TRUE(pending.IsActive(evening));
}

TEST_F(UsageLanes, WithoutAdmissionFairSharingUsageDoesNotMatter) {
  OrderByUsage(2, 1);
  state.options.admission_fair_sharing = false;
  pending.QueueChanged(kQueue);
  const WorkloadId urgent = Add({.uid = "urgent", .priority = 1, .local_queue = kMorning});
  Add({.uid = "evening", .local_queue = kEvening});
  EXPECT_EQ(pending.Head(kQueue), urgent);
}

// --- Removal -------------------------------------------------------------------------------------

using RemovePending = PendingTest;

TEST_F(RemovePending, WorksInEveryState) {
  const WorkloadId active = Add({.uid = "active"});
  const WorkloadId inadmissible = Add({.uid = "inadmissible", .shape = 1});
  pending.MarkShapeInadmissible(inadmissible);
  const WorkloadId alone = Add({.uid = "alone"});
  pending.MarkInadmissible(alone);
  const WorkloadId held = Make({.uid = "held"});
  pending.Hold(held);
  const WorkloadId backing_off = Make({.uid = "backing-off"});
  pending.BackOff(backing_off, kNoon);
  for (const WorkloadId id : {active, inadmissible, alone, held, backing_off}) {
    EXPECT_TRUE(pending.Contains(id));
    pending.Remove(id);
    EXPECT_FALSE(pending.Contains(id));
  }
  pending.AdvanceTo(kNoon);
  pending.RequeueInadmissible(kQueue);
  EXPECT_EQ(pending.ActiveCount(kQueue), 0u);
  EXPECT_EQ(pending.InadmissibleCount(kQueue), 0u);
}

TEST_F(RemovePending, IsANoOpForOtherWorkloads) {
  const WorkloadId id = Make({.uid = "a"});
  pending.Remove(id);
  pending.Add(id);
  EXPECT_TRUE(pending.IsActive(id));
  pending.Remove(id);
  pending.Remove(id);
  EXPECT_FALSE(pending.Contains(id));
  EXPECT_EQ(pending.ActiveCount(kQueue), 0u);
}

TEST_F(RemovePending, OfTheFirstOfAShapeKeepsTheOrder) {
  const WorkloadId first = Add({.uid = "a-first", .priority = 3, .shape = 1});
  Add({.uid = "b", .priority = 2, .shape = 2});
  Add({.uid = "a-second", .priority = 1, .shape = 1});
  EXPECT_THAT(Active(), ElementsAre("a-first", "b", "a-second"));
  pending.Remove(first);
  EXPECT_EQ(Uids({pending.Head(kQueue)}), std::vector<std::string>{"b"});
  EXPECT_THAT(Active(), ElementsAre("b", "a-second"));
}

// --- Changes of the queue ------------------------------------------------------------------------

using QueueChanged = PendingTest;

TEST_F(QueueChanged, AlwaysRequeues) {
  pending.MarkShapeInadmissible(Add({.uid = "a", .shape = 1}));
  pending.QueueChanged(kQueue);
  EXPECT_THAT(Active(), ElementsAre("a"));
}

TEST_F(QueueChanged, ToStrictFifoStopsGroupingShapes) {
  const WorkloadId first = Add({.uid = "a", .shape = 1});
  Add({.uid = "b", .shape = 1});
  SetStrategy(QueueingStrategy::kStrictFIFO);
  pending.MarkShapeInadmissible(first);
  EXPECT_THAT(Active(), ElementsAre("b"));
  SetStrategy(QueueingStrategy::kBestEffortFIFO);
  pending.MarkShapeInadmissible(first);
  EXPECT_THAT(Active(), IsEmpty());
}

TEST_F(QueueChanged, ToUsageReordersPendingWorkloads) {
  Add({.uid = "morning", .priority = 1, .local_queue = kMorning});
  const WorkloadId evening = Add({.uid = "evening", .local_queue = kEvening});
  OrderByUsage(2, 1);
  EXPECT_EQ(pending.Head(kQueue), evening);
  EXPECT_THAT(Active(), ElementsAre("evening", "morning"));
}

TEST_F(QueueChanged, DoesNotAffectHeldOrBackingOffWorkloads) {
  pending.Hold(Make({.uid = "held"}));
  pending.BackOff(Make({.uid = "waiting"}), kNoon);
  SetStrategy(QueueingStrategy::kStrictFIFO);
  EXPECT_THAT(Inadmissible(), ElementsAre("held", "waiting"));
}

// --- Random runs ---------------------------------------------------------------------------------

TEST(PendingQueues, MatchTheNaiveModelInRandomRuns) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::Random random(seed);
    testing::PendingWalk walk([&](uint64_t bound) { return random.Below(bound); });
    for (int step = 0; step < 400; ++step) {
      walk.Step();
      ASSERT_EQ(walk.Difference(), "") << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace berth::engine
