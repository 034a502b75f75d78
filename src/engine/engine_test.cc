#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/testing/engine_walk.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

// An engine with one resource, and shorthands to fill it.
class EngineTest : public ::testing::Test {
 protected:
  NodeId AddQueue(std::string name, std::string cohort, Quota quota, Preemption preemption = {}) {
    return engine.SetClusterQueue(
        {.name = std::move(name),
         .cohort = std::move(cohort),
         .groups = {{.resources = {engine.Resource("cpu")},
                     .flavors = {{.flavor = engine.Flavor("f"), .quotas = {quota}}}}},
         .preemption = preemption});
  }
  PendingSpec Pending(std::string uid, NodeId queue, int64_t cpu, int64_t priority = 0) {
    return {.uid = std::move(uid),
            .local_queue = engine.LocalQueue("ns/lq"),
            .cluster_queue = queue,
            .queue_order_time = kNow,
            .shape = {.pod_sets = {{.count = 1,
                                    .full_count = 1,
                                    .requests = {{engine.Resource("cpu"), cpu}}}},
                      .priority = priority,
                      .key = {1, static_cast<uint64_t>(cpu * 100 + priority)}}};
  }
  WorkloadId Add(std::string uid, NodeId queue, int64_t cpu, int64_t priority = 0) {
    return engine.AddPending(Pending(std::move(uid), queue, cpu, priority), kNow);
  }
  // "uid:outcome" for each decision of a cycle.
  std::vector<std::string> Run() {
    constexpr const char* kNames[] = {"admitted", "preempting", "deferred",
                                      "skipped",  "no-fit",     "no-candidates",
                                      "gated",    "invalid",    "namespace"};
    std::vector<std::string> out;
    for (const Decision& d : engine.RunCycle(kNow))
      out.push_back(engine.Uid(d.workload) + ":" + kNames[static_cast<size_t>(d.outcome)]);
    return out;
  }

  Engine engine{EngineOptions{}};
};

TEST_F(EngineTest, AdmitsOneHeadPerQueueAndCycle) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  Add("a", q, 4);
  Add("b", q, 4, 1);
  EXPECT_THAT(Run(), ElementsAre("b:admitted"));
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
  EXPECT_THAT(Run(), IsEmpty());
}

TEST_F(EngineTest, WorkloadThatDoesNotFitIsInadmissibleUntilQuotaIsFreed) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  const WorkloadId a = Add("a", q, 8);
  Run();
  Add("b", q, 5);
  EXPECT_THAT(Run(), ElementsAre("b:no-candidates"));
  EXPECT_THAT(Run(), IsEmpty());
  EXPECT_EQ(engine.CountPending(q).inadmissible, 1u);
  engine.Remove(a);
  EXPECT_THAT(Run(), ElementsAre("b:admitted"));
}

TEST_F(EngineTest, RequeuesEquivalentWorkloadsWhenOneIsRemoved) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  const WorkloadId a = Add("a", q, 11);
  Add("b", q, 11);
  EXPECT_THAT(Run(), ElementsAre("a:no-fit"));
  EXPECT_THAT(Run(), IsEmpty());
  engine.Remove(a);
  EXPECT_THAT(Run(), ElementsAre("b:no-fit"));
}

TEST_F(EngineTest, TargetsKeepTheirQuotaUntilTheyAreReleased) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)},
                            {.within_cluster_queue = PreemptionPolicy::kLowerPriority});
  const WorkloadId low = Add("low", q, 8);
  Run();
  Add("high", q, 5, 1);
  EXPECT_THAT(Run(), ElementsAre("high:preempting"));
  EXPECT_THAT(Run(), ElementsAre("high:preempting"));  // still waiting
  engine.Release(low, Pending("low", q, 8), kNow);
  EXPECT_THAT(Run(), ElementsAre("high:admitted"));
  EXPECT_THAT(Run(), ElementsAre("low:no-candidates"));
}

TEST_F(EngineTest, UndoMakesTheWorkloadPendingAgain) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  const WorkloadId a = Add("a", q, 8);
  Run();
  engine.Undo(a);
  EXPECT_FALSE(engine.IsReserved(a));
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
}

TEST_F(EngineTest, ALargerQuotaRequeuesTheWholeTree) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(2)});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(2)});
  Add("x", a, 6);
  EXPECT_THAT(Run(), ElementsAre("x:no-fit"));
  AddQueue("b", "co", {.nominal = Amount(4)});
  EXPECT_THAT(Run(), ElementsAre("x:admitted"));
  static_cast<void>(b);
}

TEST_F(EngineTest, QueuesBelowACohortCycleHaveNoHeads) {
  engine.SetCohort({.name = "x", .parent = "y"});
  engine.SetCohort({.name = "y", .parent = "x"});
  const NodeId q = AddQueue("q", "x", {.nominal = Amount(10)});
  Add("a", q, 1);
  EXPECT_TRUE(engine.IsInCohortCycle(q));
  EXPECT_THAT(Run(), IsEmpty());
  engine.SetCohort({.name = "y", .parent = ""});
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
}

TEST_F(EngineTest, UsageSurvivesAChangeOfQuotaAndAMoveToAnotherCohort) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(10)});
  const WorkloadId x = Add("x", a, 7);
  Run();
  AddQueue("a", "other", {.nominal = Amount(9)});
  Add("y", a, 3);
  EXPECT_THAT(Run(), ElementsAre("y:no-candidates"));
  engine.Remove(x);
  EXPECT_THAT(Run(), ElementsAre("y:admitted"));
}

// Usage beyond the largest number reads as that number: what is left after it is counted again.
TEST_F(EngineTest, UsageBeyondTheLargestNumberLeavesNothingBehind) {
  const NodeId q = AddQueue("q", "co", {.nominal = Amount(10)});
  AddQueue("other", "co", {.nominal = Amount(10)});
  const auto add_reserved = [&](std::string uid, int64_t cpu) {
    return engine.AddReserved(
        {.uid = std::move(uid),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = q,
         .queue_order_time = kNow,
         .reserved_at = kNow,
         .pod_sets = {
             {.count = 1, .resources = {{engine.Resource("cpu"), engine.Flavor("f"), cpu}}}}});
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  for (const int64_t forged : {kMost, kMost - 3, kMost / 2 + 1}) {
    const WorkloadId holds = add_reserved("holds", 8);
    const WorkloadId first = add_reserved("forged-1", forged);
    const WorkloadId second = add_reserved("forged-2", forged);
    const WorkloadId waits = Add("waits", q, 13);
    EXPECT_THAT(Run(), ElementsAre("waits:no-fit"));
    engine.Remove(first);
    engine.Remove(second);
    EXPECT_THAT(Run(), ElementsAre("waits:no-fit")) << "8 of 20 are in use";
    engine.Remove(waits);
    const WorkloadId fits = Add("fits", q, 12);
    EXPECT_THAT(Run(), ElementsAre("fits:admitted"));
    engine.Remove(fits);
    engine.Remove(holds);
  }
}

TEST_F(EngineTest, AWorkloadWaitsOutItsBackOff) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  PendingSpec spec = Pending("a", q, 1);
  spec.not_before = kNow + base::Duration::Seconds(5);
  engine.AddPending(std::move(spec), kNow);
  EXPECT_THAT(Run(), IsEmpty());
  EXPECT_EQ(engine.RunCycle(kNow + base::Duration::Seconds(5)).size(), 1u);
}

// A flavor is assigned, but there are no preemption candidates in it.
TEST_F(EngineTest, WithoutFungibilityAWorkloadWithAFlavorIsNotInadmissible) {
  const auto run = [](bool flavor_fungibility) {
    Engine other({.flavor_fungibility = flavor_fungibility});
    const Quota quota{.nominal = Amount(10)};
    const NodeId q = other.SetClusterQueue(
        {.name = "q",
         .groups = {{.resources = {other.Resource("cpu")},
                     .flavors = {{.flavor = other.Flavor("f"), .quotas = {quota}}}}},
         .preemption = {.within_cluster_queue = PreemptionPolicy::kLowerPriority}});
    for (const char* uid : {"a", "b"}) {
      other.AddPending({.uid = uid,
                        .local_queue = other.LocalQueue("ns/lq"),
                        .cluster_queue = q,
                        .shape = {.pod_sets = {{.count = 1,
                                                .full_count = 1,
                                                .requests = {{other.Resource("cpu"), 6}}}},
                                  .key = {1, 1}}},
                       kNow);
      other.RunCycle(kNow);
    }
    return other.CountPending(q);
  };
  EXPECT_EQ(run(true).inadmissible, 1u);
  EXPECT_EQ(run(false).active, 1u);
}

TEST_F(EngineTest, AResourceInTwoGroupsBelongsToTheFirst) {
  const auto group = [&](const char* flavor) {
    return ResourceGroup{
        .resources = {engine.Resource("cpu")},
        .flavors = {{.flavor = engine.Flavor(flavor), .quotas = {Quota{.nominal = Amount(10)}}}}};
  };
  const NodeId q = engine.SetClusterQueue({.name = "q", .groups = {group("f"), group("g")}});
  const WorkloadId a = Add("a", q, 4);
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
  EXPECT_EQ(engine.AssignmentOf(a)[0].resources[0].flavor, engine.Flavor("f"));
}

// --- Properties of random runs -------------------------------------------------------------------

class RandomRun : public ::testing::TestWithParam<int> {};

TEST_P(RandomRun, KeepsUsageExactAndNeverOverdraws) {
  base::Random random(static_cast<uint64_t>(GetParam()));
  testing::EngineWalk walk([&](uint64_t bound) { return random.Below(bound); });
  for (int step = 0; step < 300; ++step) {
    walk.Step();
    ASSERT_EQ(walk.Violation(), "") << "seed " << GetParam() << ", step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, ::testing::Range(1, 41));

}  // namespace
}  // namespace berth::engine
