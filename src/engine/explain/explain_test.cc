#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/explain/explanation.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);

// Queues with quota for cpu in flavors "a" and, if given, "b".
class ExplainTest : public ::testing::Test {
 protected:
  NodeId AddQueue(ClusterQueueSpec spec, std::vector<Quota> quotas) {
    ResourceGroup group{.resources = {engine.Resource("cpu")}, .flavors = {}};
    for (size_t i = 0; i < quotas.size(); ++i)
      group.flavors.push_back({.flavor = engine.Flavor(i == 0 ? "a" : "b"), .quotas = {quotas[i]}});
    spec.groups = {group};
    return engine.SetClusterQueue(spec);
  }
  PendingSpec Job(std::string uid, NodeId queue, int64_t cpu, int32_t count = 1) {
    return {.uid = std::move(uid),
            .local_queue = engine.LocalQueue("ns/lq"),
            .cluster_queue = queue,
            .queue_order_time = kNow,
            .shape = {.pod_sets = {{.count = count,
                                    .full_count = count,
                                    .requests = {{engine.Resource("cpu"), cpu * count}}}},
                      .key = {1, static_cast<uint64_t>(++jobs)}}};
  }
  WorkloadId Wait(PendingSpec spec) { return engine.AddPending(std::move(spec), kNow); }
  WorkloadId Reserve(std::string uid, NodeId queue, int64_t cpu, int64_t priority = 0,
                     const char* flavor = "a") {
    return engine.AddReserved(
        {.uid = std::move(uid),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = queue,
         .queue_order_time = kNow,
         .priority = priority,
         .reserved_at = kNow,
         .pod_sets = {
             {.count = 1, .resources = {{engine.Resource("cpu"), engine.Flavor(flavor), cpu}}}}});
  }
  std::vector<std::string> Uids(const std::vector<WorkloadId>& ids) {
    std::vector<std::string> uids;
    for (const WorkloadId id : ids) uids.push_back(engine.Uid(id));
    return uids;
  }
  const Remedy* Find(const Explanation& explanation, RemedyKind kind) {
    const auto it = std::ranges::find(explanation.remedies, kind, &Remedy::kind);
    return it == explanation.remedies.end() ? nullptr : &*it;
  }
  // The increases of a remedy.
  std::vector<int64_t> RaisesOf(const Explanation& explanation, RemedyKind kind) {
    std::vector<int64_t> raises;
    if (const Remedy* remedy = Find(explanation, kind)) {
      for (const QuotaRaise& r : remedy->raises) raises.push_back((r.to - r.from).value());
    }
    return raises;
  }
  std::vector<CandidateStatus> Standings(const Explanation& explanation) {
    std::vector<CandidateStatus> standings;
    for (const CandidateGroup& group : explanation.preemption.groups)
      standings.push_back(group.status);
    return standings;
  }

  Engine engine{EngineOptions{}};
  int jobs = 0;
};

TEST_F(ExplainTest, ReportsTheAssignmentOfAReservedWorkload) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Reserve("r", q, 4));
  EXPECT_TRUE(e.is_reserved);
  ASSERT_THAT(e.held, SizeIs(1));
  EXPECT_EQ(e.held[0].resources[0].amount, 4);
  EXPECT_THAT(e.remedies, IsEmpty());
}

TEST_F(ExplainTest, ReportsTheFiguresOfEveryFlavorInOrder) {
  const NodeId q =
      AddQueue({.name = "q", .cohort = "co"},
               {{.nominal = Amount(10), .borrowing_limit = Amount(2)}, {.nominal = Amount(3)}});
  AddQueue({.name = "other", .cohort = "co"}, {{.nominal = Amount(7)}});
  Reserve("r", q, 8);
  const Explanation e = engine.Explain(Wait(Job("w", q, 6)));
  EXPECT_EQ(e.reason, WaitReason::kWaitingForQuota);
  ASSERT_THAT(e.searches, SizeIs(1));
  ASSERT_THAT(e.searches[0].flavors, SizeIs(2));
  const ResourceFigures& a = e.searches[0].flavors[0].resources[0];
  EXPECT_EQ(a.requested, Amount(6));
  EXPECT_EQ(a.nominal, Amount(10));
  EXPECT_EQ(a.used, Amount(8));
  EXPECT_EQ(a.available, Amount(4));
  EXPECT_EQ(a.borrowable, Amount(2));
  EXPECT_EQ(a.potential, Amount(12));
  EXPECT_EQ(a.shortfall, Amount(2));
  EXPECT_EQ(a.mode, FlavorMode::kNoCandidates);
  const FlavorStep& b = e.searches[0].flavors[1];
  EXPECT_EQ(b.mode, FlavorMode::kNoFit);
  EXPECT_EQ(b.reason, WaitReason::kExceedsMaxQuota);
  EXPECT_EQ(b.resources[0].shortfall, Amount(3));
}

TEST_F(ExplainTest, LaterPodSetsSeeTheUsageOfEarlierOnes) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  PendingSpec job = Job("w", q, 6);
  job.shape.pod_sets.push_back(job.shape.pod_sets[0]);
  job.shape.pod_sets[1].group = 1;
  const Explanation e = engine.Explain(Wait(job));
  ASSERT_THAT(e.searches, SizeIs(2));
  const ResourceFigures& second = e.searches[1].flavors[0].resources[0];
  EXPECT_EQ(second.assumed, Amount(6));
  EXPECT_EQ(second.shortfall, Amount(2));
  EXPECT_EQ(e.reason, WaitReason::kExceedsMaxQuota);
}

TEST_F(ExplainTest, TheSearchStopsAtAFlavorThatIsGoodEnough) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}, {.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 6)));
  EXPECT_EQ(e.outcome, Outcome::kAdmitted);
  EXPECT_EQ(e.searches[0].flavors[0].next, NextStep::kStop);
  EXPECT_TRUE(e.searches[0].flavors[0].is_chosen);
  EXPECT_FALSE(e.searches[0].flavors[1].is_tried);
  EXPECT_THAT(e.remedies, IsEmpty());
}

TEST_F(ExplainTest, TheSearchContinuesPastAFlavorThatRequiresBorrowing) {
  ClusterQueueSpec spec{.name = "q", .cohort = "co"};
  spec.fungibility.try_next_when_can_borrow = true;
  const NodeId q = AddQueue(spec, {{.nominal = Amount(2)}, {.nominal = Amount(10)}});
  AddQueue({.name = "other", .cohort = "co"}, {{.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 6)));
  EXPECT_EQ(e.searches[0].flavors[0].next, NextStep::kTryNextToAvoidBorrowing);
  EXPECT_TRUE(e.searches[0].flavors[1].is_chosen);
}

// --- Remedies ------------------------------------------------------------------------------------

TEST_F(ExplainTest, TheSmallestRaiseOfNominalQuotaIsTheShortfall) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Reserve("r", q, 8);
  const Explanation e = engine.Explain(Wait(Job("w", q, 6)));
  EXPECT_THAT(RaisesOf(e, RemedyKind::kNominalQuota), ElementsAre(4));
}

TEST_F(ExplainTest, ResourcesThatAreShortTogetherAreRaisedTogether) {
  const ResourceId cpu = engine.Resource("cpu"), memory = engine.Resource("memory");
  const NodeId q = engine.SetClusterQueue(
      {.name = "q",
       .groups = {{.resources = {cpu, memory},
                   .flavors = {{.flavor = engine.Flavor("a"),
                                .quotas = {{.nominal = Amount(10)}, {.nominal = Amount(100)}}}}}}});
  PendingSpec job = Job("w", q, 12);
  job.shape.pod_sets[0].requests.push_back({memory, 130});
  const Explanation e = engine.Explain(Wait(job));
  EXPECT_THAT(RaisesOf(e, RemedyKind::kNominalQuota), ElementsAre(2, 30));
}

TEST_F(ExplainTest, FlavorsOfDifferentGroupsAreRaisedTogetherIfNoneIsEnoughAlone) {
  const ResourceId cpu = engine.Resource("cpu"), gpu = engine.Resource("gpu");
  const NodeId q = engine.SetClusterQueue(
      {.name = "q",
       .groups = {
           {.resources = {cpu},
            .flavors = {{.flavor = engine.Flavor("a"), .quotas = {{.nominal = Amount(1)}}}}},
           {.resources = {gpu},
            .flavors = {{.flavor = engine.Flavor("g"), .quotas = {{.nominal = Amount(0)}}}}}}});
  PendingSpec job = Job("w", q, 3);
  job.shape.pod_sets[0].requests.push_back({gpu, 5});
  const Explanation e = engine.Explain(Wait(job));
  std::vector<int64_t> raises = RaisesOf(e, RemedyKind::kNominalQuota);
  std::ranges::sort(raises);
  EXPECT_THAT(raises, ElementsAre(2, 5));
}

TEST_F(ExplainTest, ABlockingBorrowingLimitIsRaised) {
  const NodeId q = AddQueue({.name = "q", .cohort = "co"},
                            {{.nominal = Amount(4), .borrowing_limit = Amount(1)}});
  AddQueue({.name = "other", .cohort = "co"}, {{.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 8)));
  EXPECT_THAT(RaisesOf(e, RemedyKind::kBorrowingLimit), ElementsAre(3));
  EXPECT_THAT(RaisesOf(e, RemedyKind::kNominalQuota), ElementsAre(3));
}

TEST_F(ExplainTest, ANonBlockingBorrowingLimitIsNotRaised) {
  const NodeId q = AddQueue({.name = "q", .cohort = "co"},
                            {{.nominal = Amount(4), .borrowing_limit = Amount(9)}});
  AddQueue({.name = "other", .cohort = "co"}, {{.nominal = Amount(1)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 8)));
  EXPECT_EQ(Find(e, RemedyKind::kBorrowingLimit), nullptr);
}

TEST_F(ExplainTest, ABlockingLendingLimitIsRaised) {
  const NodeId q = AddQueue({.name = "q", .cohort = "co"}, {{.nominal = Amount(4)}});
  const NodeId lender = AddQueue({.name = "lender", .cohort = "co"},
                                 {{.nominal = Amount(10), .lending_limit = Amount(2)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 8)));
  ASSERT_NE(Find(e, RemedyKind::kLendingLimit), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kLendingLimit)->node, lender);
  EXPECT_THAT(RaisesOf(e, RemedyKind::kLendingLimit), ElementsAre(2));
}

TEST_F(ExplainTest, SingleWorkloadsWhoseEndIsEnoughAreListedSmallestFirst) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Reserve("large", q, 5);
  Reserve("middle", q, 4);
  Reserve("small", q, 1);
  const Explanation e = engine.Explain(Wait(Job("w", q, 4)));
  ASSERT_NE(Find(e, RemedyKind::kOneFinishes), nullptr);
  EXPECT_THAT(Uids(Find(e, RemedyKind::kOneFinishes)->workloads), ElementsAre("middle", "large"));
}

TEST_F(ExplainTest, IfNoSingleWorkloadIsEnoughTheFewestLargeOnesAreListed) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Reserve("r1", q, 4);
  Reserve("r2", q, 4);
  Reserve("r3", q, 2);
  const Explanation e = engine.Explain(Wait(Job("w", q, 8)));
  EXPECT_EQ(Find(e, RemedyKind::kOneFinishes), nullptr);
  ASSERT_NE(Find(e, RemedyKind::kAllFinish), nullptr);
  EXPECT_THAT(Uids(Find(e, RemedyKind::kAllFinish)->workloads), ElementsAre("r1", "r2"));
}

TEST_F(ExplainTest, TheLargestNumberOfPodsThatFitsNowIsFound) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 3, 5)));
  ASSERT_NE(Find(e, RemedyKind::kFewerPods), nullptr);
  EXPECT_EQ(Find(e, RemedyKind::kFewerPods)->pod_count, 3);
}

TEST_F(ExplainTest, AMismatchedFlavorIsARemedyOnlyIfItHasRoom) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(1)}, {.nominal = Amount(10)}});
  PendingSpec job = Job("w", q, 4);
  job.shape.pod_sets[0].mismatches = {{engine.Flavor("a"), Mismatch::kNodeAffinity},
                                      {engine.Flavor("b"), Mismatch::kUntoleratedTaint}};
  const Explanation e = engine.Explain(Wait(job));
  EXPECT_EQ(e.reason, WaitReason::kNoMatchingFlavor);
  EXPECT_EQ(e.searches[0].flavors[1].mismatch, Mismatch::kUntoleratedTaint);
  EXPECT_EQ(e.preemption.attempt, PreemptionAttempt::kCannotHelp);
  ASSERT_THAT(e.remedies, SizeIs(1));
  EXPECT_EQ(e.remedies[0].kind, RemedyKind::kMatchFlavor);
  EXPECT_EQ(e.remedies[0].flavor, engine.Flavor("b"));
}

TEST_F(ExplainTest, UndeclaredRequestsAreReported) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  PendingSpec job = Job("w", q, 4);
  job.shape.pod_sets[0].requests.push_back({engine.Resource("gpu"), 1});
  const Explanation e = engine.Explain(Wait(job));
  ASSERT_THAT(e.undeclared, SizeIs(1));
  EXPECT_EQ(e.undeclared[0].resource, engine.Resource("gpu"));
  ASSERT_THAT(e.remedies, SizeIs(3));
  EXPECT_EQ(e.remedies[0].kind, RemedyKind::kDropRequests);
  EXPECT_EQ(e.remedies[1].kind, RemedyKind::kDeclareRequests);
  EXPECT_EQ(e.remedies[2].kind, RemedyKind::kExcludeRequests);
  EXPECT_THAT(e.remedies[2].resources, ElementsAre(engine.Resource("gpu")));
}

// --- Queue position ------------------------------------------------------------------------------

TEST_F(ExplainTest, WorkloadsAheadAreCountedAndListed) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Wait(Job("w1", q, 1));
  Wait(Job("w2", q, 1));
  const Explanation e = engine.Explain(Wait(Job("w3", q, 1)));
  EXPECT_EQ(e.position.ahead_count, 2u);
  EXPECT_EQ(e.position.length, 3u);
  EXPECT_THAT(Uids(e.position.ahead), ElementsAre("w1", "w2"));
  EXPECT_EQ(e.position.status, PositionStatus::kBehindOthers);
  EXPECT_EQ(e.reason, WaitReason::kPendingEvaluation);
}

TEST_F(ExplainTest, WorkloadsAheadTakeTheirQuotaFirst) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Wait(Job("w1", q, 7));
  const Explanation e = engine.Explain(Wait(Job("w2", q, 5)));
  EXPECT_EQ(e.position.status, PositionStatus::kQuotaTaken);
  EXPECT_EQ(e.reason, WaitReason::kWaitingForQuota);
  EXPECT_THAT(RaisesOf(e, RemedyKind::kNominalQuota), ElementsAre(2));
}

TEST_F(ExplainTest, AStrictHeadThatDoesNotFitBlocksAllBehindIt) {
  const NodeId q =
      AddQueue({.name = "q", .strategy = QueueingStrategy::kStrictFIFO}, {{.nominal = Amount(10)}});
  const WorkloadId head = Wait(Job("w1", q, 12));
  const Explanation e = engine.Explain(Wait(Job("w2", q, 5)));
  EXPECT_EQ(e.position.status, PositionStatus::kBlocked);
  EXPECT_EQ(e.position.blocked_by, head);
  EXPECT_EQ(e.reason, WaitReason::kPendingEvaluation);
  ASSERT_NE(Find(e, RemedyKind::kRemoveBlocker), nullptr);
  // Enough to admit the head, and then this one.
  EXPECT_THAT(RaisesOf(e, RemedyKind::kNominalQuota), ElementsAre(7));
}

TEST_F(ExplainTest, ABestEffortHeadThatDoesNotFitDoesNotBlockOthers) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Wait(Job("w1", q, 12));
  const Explanation e = engine.Explain(Wait(Job("w2", q, 5)));
  EXPECT_EQ(e.position.status, PositionStatus::kBehindOthers);
  EXPECT_THAT(e.remedies, IsEmpty());
}

TEST_F(ExplainTest, ObstaclesAreReportedInAdditionToQuota) {
  const NodeId q = AddQueue({.name = "q", .is_active = false}, {{.nominal = Amount(10)}});
  PendingSpec job = Job("w", q, 5);
  job.has_namespace_mismatch = true;
  const Explanation e = engine.Explain(Wait(job));
  EXPECT_THAT(e.obstacles, ElementsAre(Obstacle::kQueueInactive, Obstacle::kNamespaceMismatch));
  EXPECT_EQ(e.reason, WaitReason::kSuspended);
  EXPECT_EQ(e.outcome, Outcome::kAdmitted);
}

TEST_F(ExplainTest, AQueueBelowACohortCycleHasNoFlavorSearch) {
  engine.SetCohort({.name = "x", .parent = "y"});
  engine.SetCohort({.name = "y", .parent = "x"});
  const NodeId q = AddQueue({.name = "q", .cohort = "x"}, {{.nominal = Amount(10)}});
  const Explanation e = engine.Explain(Wait(Job("w", q, 5)));
  EXPECT_THAT(e.obstacles, ElementsAre(Obstacle::kCohortCycle));
  EXPECT_THAT(e.searches, IsEmpty());
}

// --- Preemption ----------------------------------------------------------------------------------

TEST_F(ExplainTest, TargetsAreListedSeparatelyFromOtherStatuses) {
  ClusterQueueSpec spec{.name = "q"};
  spec.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  const NodeId q = AddQueue(spec, {{.nominal = Amount(10)}, {.nominal = Amount(1)}});
  Reserve("low", q, 4, 0);
  Reserve("high", q, 6, 9);
  Reserve("elsewhere", q, 1, 0, "b");
  PendingSpec job = Job("w", q, 3);
  job.shape.priority = 5;
  const Explanation e = engine.Explain(Wait(job));
  EXPECT_EQ(e.outcome, Outcome::kPreempting);
  ASSERT_THAT(e.targets, SizeIs(1));
  EXPECT_EQ(engine.Uid(e.targets[0].workload), "low");
  EXPECT_THAT(Standings(e), ElementsAre(CandidateStatus::kTarget, CandidateStatus::kPriority,
                                        CandidateStatus::kOtherFlavor));
}

TEST_F(ExplainTest, PolicyNeverIsReported) {
  const NodeId q = AddQueue({.name = "q"}, {{.nominal = Amount(10)}});
  Reserve("r", q, 8);
  const Explanation e = engine.Explain(Wait(Job("w", q, 5)));
  EXPECT_EQ(e.outcome, Outcome::kNoCandidates);
  EXPECT_THAT(Standings(e), ElementsAre(CandidateStatus::kPolicyNever));
}

TEST_F(ExplainTest, QuotaIsReclaimedOnlyFromBorrowingQueues) {
  ClusterQueueSpec spec{.name = "q", .cohort = "co"};
  spec.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  const NodeId q = AddQueue(spec, {{.nominal = Amount(6)}});
  const NodeId modest = AddQueue({.name = "modest", .cohort = "co"}, {{.nominal = Amount(4)}});
  const NodeId greedy = AddQueue({.name = "greedy", .cohort = "co"}, {{.nominal = Amount(0)}});
  Reserve("m", modest, 4);
  Reserve("g", greedy, 3);
  const Explanation e = engine.Explain(Wait(Job("w", q, 5)));
  EXPECT_EQ(e.outcome, Outcome::kPreempting);
  EXPECT_THAT(Standings(e),
              ElementsAre(CandidateStatus::kTarget, CandidateStatus::kQueueWithinQuota));
}

TEST_F(ExplainTest, PreemptionIsNotTriedWhileBorrowing) {
  const NodeId q = AddQueue({.name = "q", .cohort = "co"}, {{.nominal = Amount(2)}});
  const NodeId other = AddQueue({.name = "other", .cohort = "co"}, {{.nominal = Amount(10)}});
  Reserve("r", other, 8);
  const Explanation e = engine.Explain(Wait(Job("w", q, 5)));
  EXPECT_EQ(e.outcome, Outcome::kNoFit);
  EXPECT_EQ(e.preemption.attempt, PreemptionAttempt::kNotWhileBorrowing);
}

TEST_F(ExplainTest, ReclaimingIsOnlyForTheQueuesOwnQuota) {
  ClusterQueueSpec spec{.name = "q", .cohort = "co"};
  spec.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  spec.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  const NodeId q = AddQueue(spec, {{.nominal = Amount(6)}});
  const NodeId greedy = AddQueue({.name = "greedy", .cohort = "co"}, {{.nominal = Amount(0)}});
  Reserve("own", q, 4, 9);
  Reserve("g", greedy, 2);
  const Explanation e = engine.Explain(Wait(Job("w", q, 4)));
  EXPECT_EQ(e.outcome, Outcome::kNoCandidates);
  EXPECT_THAT(Standings(e),
              ElementsAre(CandidateStatus::kOnlyWithinNominal, CandidateStatus::kPriority));
}

}  // namespace
}  // namespace berth::engine
