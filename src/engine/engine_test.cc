#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

// An engine with one resource, and short words to fill it.
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

TEST_F(EngineTest, AdmitsOneHeadAQueueInACycle) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  Add("a", q, 4);
  Add("b", q, 4, 1);
  EXPECT_THAT(Run(), ElementsAre("b:admitted"));
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
  EXPECT_THAT(Run(), IsEmpty());
}

TEST_F(EngineTest, ParksWhatDoesNotFitUntilQuotaIsFreed) {
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

TEST_F(EngineTest, VictimsKeepTheirQuotaUntilTheyAreReleased) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)},
                            {.within_cluster_queue = PreemptionPolicy::kLowerPriority});
  const WorkloadId low = Add("low", q, 8);
  Run();
  Add("high", q, 5, 1);
  EXPECT_THAT(Run(), ElementsAre("high:preempting"));
  EXPECT_THAT(Run(), ElementsAre("high:preempting"));  // goes on waiting
  engine.Release(low, Pending("low", q, 8), kNow);
  EXPECT_THAT(Run(), ElementsAre("high:admitted"));
  EXPECT_THAT(Run(), ElementsAre("low:no-candidates"));
}

TEST_F(EngineTest, AnAdmissionThatCannotBeWrittenIsTakenBack) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  const WorkloadId a = Add("a", q, 8);
  Run();
  engine.Undo(a);
  EXPECT_FALSE(engine.IsReserved(a));
  EXPECT_THAT(Run(), ElementsAre("a:admitted"));
}

TEST_F(EngineTest, ALargerQuotaWakesTheWholeTree) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(2)});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(2)});
  Add("x", a, 6);
  EXPECT_THAT(Run(), ElementsAre("x:no-fit"));
  AddQueue("b", "co", {.nominal = Amount(4)});
  EXPECT_THAT(Run(), ElementsAre("x:admitted"));
  static_cast<void>(b);
}

TEST_F(EngineTest, QueuesBelowACycleOfCohortsGetNoHeads) {
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

TEST_F(EngineTest, AWorkloadWaitsOutItsBackOff) {
  const NodeId q = AddQueue("q", "", {.nominal = Amount(10)});
  PendingSpec spec = Pending("a", q, 1);
  spec.not_before = kNow + base::Duration::Seconds(5);
  engine.AddPending(std::move(spec), kNow);
  EXPECT_THAT(Run(), IsEmpty());
  EXPECT_EQ(engine.RunCycle(kNow + base::Duration::Seconds(5)).size(), 1u);
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

// --- Properties of random runs
// --------------------------------------------------------------------

// A world that changes at random, and what must hold of it at every moment.
class RandomWorld {
 public:
  explicit RandomWorld(uint64_t seed, bool has_preemption)
      : random_(seed), has_preemption_(has_preemption) {
    for (int i = 0; i < 3; ++i) {
      engine_.SetCohort({.name = "c" + std::to_string(i), .parent = i == 0 ? "" : "c0"});
    }
    for (int i = 0; i < 5; ++i) SetQueue(i);
  }

  void Step() {
    switch (random_.Below(6)) {
      case 0:
      case 1:
        AddWorkload();
        break;
      case 2:
        RemoveSome();
        break;
      case 3:
        if (random_.Chance(4)) SetQueue(static_cast<int>(random_.Below(5)));
        break;
      default:
        RunCycle();
        break;
    }
  }

  void CheckInvariants() {
    const State& state = engine_.state();
    const QuotaForest& forest = state.forest;
    for (const Queue& queue : state.queues) {
      if (queue.node.is_none()) continue;
      std::map<PairId, int64_t> sum;
      for (const WorkloadId id : queue.reserved) {
        for (const PairUsage& usage : state.workload(id).reservation->usage)
          sum[usage.pair] += usage.amount;
      }
      const QuotaForest::Tree& tree = forest.TreeOf(queue.node);
      for (Column c = 0; c < tree.pairs.size(); ++c)
        ASSERT_EQ(forest.cell(queue.node, c).usage, sum[tree.pairs[c]])
            << "usage is what is reserved";
    }
    for (uint32_t t = 0; t < forest.tree_count(); ++t) CheckConservation(forest.tree(t).root);
  }

  // Of all quota that a cycle gave out, none was beyond what there was.
  void CheckNothingIsOverdrawn() {
    const State& state = engine_.state();
    for (const WorkloadId id : admitted_last_) {
      const Workload& w = state.workload(id);
      for (const PairUsage& usage : w.reservation->usage) {
        const Column column = state.forest.ColumnOf(w.cluster_queue, usage.pair);
        if (usage.amount == 0) continue;
        ASSERT_GE(state.forest.Available(w.cluster_queue, column), 0);
      }
    }
  }

 private:
  void CheckConservation(NodeId id) {
    const QuotaForest& forest = engine_.state().forest;
    const QuotaForest::Node& node = forest.node(id);
    for (Column c = 0; c < forest.TreeOf(id).pairs.size() && !node.is_queue; ++c) {
      Amount sum;
      for (const auto* children : {&node.child_queues, &node.child_cohorts}) {
        for (const NodeId child : *children) {
          const Cell& cell = forest.cell(child, c);
          sum += quantity::Max(Amount(0), cell.usage - cell.local_quota);
        }
      }
      ASSERT_EQ(forest.cell(id, c).usage, sum) << "a cohort uses what its children take from it";
    }
    for (const NodeId child : node.child_cohorts) CheckConservation(child);
  }

  Amount Limit() { return random_.Chance(2) ? Amount::Unlimited() : Amount(random_.Between(0, 8)); }

  void SetQueue(int i) {
    const Quota q1{Amount(random_.Between(0, 12)), Limit(), Limit()};
    const Quota q2{Amount(random_.Between(0, 12)), Limit(), Limit()};
    Preemption preemption;
    if (has_preemption_) {
      preemption = {.within_cluster_queue = static_cast<PreemptionPolicy>(random_.Below(3)),
                    .reclaim_within_cohort = random_.Chance(2) ? PreemptionPolicy::kAny
                                                               : PreemptionPolicy::kLowerPriority,
                    .borrow_within_cohort = random_.Chance(2)};
    }
    queues_[i] = engine_.SetClusterQueue(
        {.name = "q" + std::to_string(i),
         .cohort = "c" + std::to_string(random_.Below(3)),
         .groups = {{.resources = {engine_.Resource("cpu")},
                     .flavors = {{.flavor = engine_.Flavor("f1"), .quotas = {q1}},
                                 {.flavor = engine_.Flavor("f2"), .quotas = {q2}}}}},
         .strategy =
             random_.Chance(3) ? QueueingStrategy::kStrictFIFO : QueueingStrategy::kBestEffortFIFO,
         .preemption = preemption});
    admitted_last_.clear();  // they may be beyond the new quota
  }

  PendingSpec Spec(const std::string& uid) {
    const int64_t cpu = random_.Between(0, 9), priority = random_.Between(0, 2);
    return {.uid = uid,
            .local_queue = engine_.LocalQueue("ns/lq"),
            .cluster_queue = queues_[random_.Below(5)],
            .queue_order_time = kNow + base::Duration::Seconds(next_),
            .shape = {.pod_sets = {{.count = 2,
                                    .full_count = 2,
                                    .min_count = random_.Chance(3) ? std::optional<int32_t>(1)
                                                                   : std::nullopt,
                                    .requests = {{engine_.Resource("cpu"), cpu * 2}}}},
                      .priority = priority,
                      .key = {1, static_cast<uint64_t>(cpu * 10 + priority)}}};
  }

  void AddWorkload() {
    const std::string uid = "w" + std::to_string(next_++);
    alive_.push_back(engine_.AddPending(Spec(uid), kNow));
  }

  void RemoveSome() {
    if (alive_.empty()) return;
    const size_t i = random_.Below(alive_.size());
    engine_.Remove(alive_[i]);
    std::erase(admitted_last_, alive_[i]);
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void RunCycle() {
    admitted_last_.clear();
    std::vector<WorkloadId> victims;
    for (const Decision& d : engine_.RunCycle(kNow)) {
      if (d.outcome == Outcome::kAdmitted) admitted_last_.push_back(d.workload);
      for (const Victim& v : d.victims) victims.push_back(v.workload);
    }
    CheckNothingIsOverdrawn();
    for (const WorkloadId id : victims) {
      engine_.Release(id, Spec(engine_.Uid(id)), kNow);
      std::erase(admitted_last_, id);
    }
  }

  Engine engine_{EngineOptions{}};
  base::Random random_;
  bool has_preemption_;
  NodeId queues_[5];
  std::vector<WorkloadId> alive_, admitted_last_;
  int next_ = 0;
};

class RandomRun : public ::testing::TestWithParam<int> {};

TEST_P(RandomRun, KeepsUsageExactAndNeverOverdraws) {
  RandomWorld world(static_cast<uint64_t>(GetParam()), GetParam() % 2 == 0);
  for (int step = 0; step < 300; ++step) {
    world.Step();
    world.CheckInvariants();
    if (HasFatalFailure()) FAIL() << "seed " << GetParam() << ", step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, ::testing::Range(1, 41));

}  // namespace
}  // namespace berth::engine
