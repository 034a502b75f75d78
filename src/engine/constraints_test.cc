#include "engine/constraints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/explain/explanation.h"

namespace berth::engine {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::Time kNow = base::Time::FromSeconds(1'700'000'000);
constexpr AdmissionConstraints kCannotBorrow{.cannot_borrow = true};
constexpr AdmissionConstraints kCannotPreempt{.cannot_preempt = true};
constexpr AdmissionConstraints kBoth{.cannot_preempt = true, .cannot_borrow = true};
constexpr Preemption kWithin{.within_cluster_queue = PreemptionPolicy::kLowerPriority};
constexpr Preemption kReclaim{.reclaim_within_cohort = PreemptionPolicy::kAny};

// Queues of one cohort with quota for cpu in the flavors "a" and "b".
class ConstraintsTest : public ::testing::Test {
 protected:
  NodeId AddQueue(std::string name, std::vector<int64_t> nominal, Preemption preemption = {}) {
    ResourceGroup group{.resources = {cpu}, .flavors = {}};
    for (size_t i = 0; i < nominal.size(); ++i)
      group.flavors.push_back(
          {.flavor = i == 0 ? a : b, .quotas = {{.nominal = Amount(nominal[i])}}});
    return engine.SetClusterQueue(
        {.name = std::move(name), .cohort = "c", .groups = {group}, .preemption = preemption});
  }
  WorkloadId Run(std::string uid, NodeId queue, int64_t amount, FlavorId flavor) {
    return engine.AddReserved({.uid = std::move(uid),
                               .local_queue = engine.LocalQueue("ns/lq"),
                               .cluster_queue = queue,
                               .queue_order_time = kNow,
                               .reserved_at = kNow,
                               .pod_sets = {{.count = 1, .resources = {{cpu, flavor, amount}}}}});
  }
  WorkloadId Wait(std::string uid, NodeId queue, int64_t amount, AdmissionConstraints constraints,
                  std::string replaces_uid = "") {
    return engine.AddPending(
        {.uid = std::move(uid),
         .local_queue = engine.LocalQueue("ns/lq"),
         .cluster_queue = queue,
         .queue_order_time = kNow,
         .shape = {.pod_sets = {{.count = 1, .full_count = 1, .requests = {{cpu, amount}}}},
                   .priority = 10,
                   .key = {1, static_cast<uint64_t>(++count)}},
         .constraints = constraints,
         .replaces_uid = std::move(replaces_uid)},
        kNow);
  }
  // The decision of a cycle with one head.
  Decision Decide() {
    const std::span<const Decision> decisions = engine.RunCycle(kNow);
    EXPECT_THAT(decisions, SizeIs(1));
    return decisions.front();
  }
  std::vector<std::string> TargetsOf(const BlockedOption& option) {
    std::vector<std::string> uids;
    for (const PreemptionTarget& target : option.targets)
      uids.push_back(engine.Uid(target.workload));
    return uids;
  }

  Engine engine{EngineOptions{}};
  ResourceId cpu = engine.Resource("cpu");
  FlavorId a = engine.Flavor("a"), b = engine.Flavor("b");
  int count = 0;
};

TEST_F(ConstraintsTest, ReportTheAmountToBorrow) {
  const NodeId q = AddQueue("q", {4});
  AddQueue("other", {4});
  Run("running", q, 1, a);
  Wait("w", q, 5, kCannotBorrow);
  const Decision decision = Decide();
  EXPECT_EQ(decision.outcome, Outcome::kNoFit);
  EXPECT_EQ(decision.reason, WaitReason::kAdmissionConstrained);
  EXPECT_TRUE(decision.is_inadmissible);
  ASSERT_THAT(decision.blocked_options, SizeIs(1));
  const BlockedOption& option = decision.blocked_options[0];
  EXPECT_EQ(option.blocked_by, kCannotBorrow);
  EXPECT_TRUE(option.is_available);
  EXPECT_THAT(option.borrowed, ElementsAre(BorrowedAmount{a, cpu, Amount(2)}));
  EXPECT_THAT(option.targets, IsEmpty());
}

TEST_F(ConstraintsTest, ReportTheAmountThatASliceWouldBorrow) {
  const NodeId q = AddQueue("q", {4});
  AddQueue("other", {4});
  Run("slice", q, 2, a);
  Wait("grown", q, 6, kCannotBorrow, "slice");
  const Decision decision = Decide();
  ASSERT_THAT(decision.blocked_options, SizeIs(1));
  EXPECT_THAT(decision.blocked_options[0].borrowed, ElementsAre(BorrowedAmount{a, cpu, Amount(2)}));
}

TEST_F(ConstraintsTest, ReportTheTargetsToPreempt) {
  const NodeId q = AddQueue("q", {4}, kWithin);
  Run("low", q, 3, a);
  Wait("w", q, 4, kCannotPreempt);
  const Decision decision = Decide();
  EXPECT_EQ(decision.outcome, Outcome::kNoCandidates);
  EXPECT_EQ(decision.reason, WaitReason::kAdmissionConstrained);
  EXPECT_THAT(decision.targets, IsEmpty());
  ASSERT_THAT(decision.blocked_options, SizeIs(1));
  EXPECT_EQ(decision.blocked_options[0].blocked_by, kCannotPreempt);
  EXPECT_THAT(TargetsOf(decision.blocked_options[0]), ElementsAre("low"));
  EXPECT_THAT(decision.blocked_options[0].borrowed, IsEmpty());
}

TEST_F(ConstraintsTest, EachBlockADifferentOption) {
  const NodeId q = AddQueue("q", {4, 0}, kWithin);
  AddQueue("other", {0, 4});
  Run("low", q, 4, a);
  Wait("w", q, 4, kBoth);
  const Decision decision = Decide();
  ASSERT_THAT(decision.blocked_options, SizeIs(2));
  EXPECT_EQ(decision.blocked_options[0].blocked_by, kCannotPreempt);
  EXPECT_THAT(TargetsOf(decision.blocked_options[0]), ElementsAre("low"));
  EXPECT_EQ(decision.blocked_options[1].blocked_by, kCannotBorrow);
  EXPECT_THAT(decision.blocked_options[1].borrowed, ElementsAre(BorrowedAmount{b, cpu, Amount(4)}));
}

TEST_F(ConstraintsTest, BlockAnOptionTogether) {
  Preemption preemption = kReclaim;
  preemption.borrow_within_cohort = true;
  const NodeId q = AddQueue("q", {4}, preemption);
  const NodeId other = AddQueue("other", {4});
  Run("low", other, 8, a);
  Wait("w", q, 6, kBoth);
  const Decision decision = Decide();
  ASSERT_THAT(decision.blocked_options, SizeIs(1));
  const BlockedOption& option = decision.blocked_options[0];
  EXPECT_EQ(option.blocked_by, kBoth);
  EXPECT_TRUE(option.is_available);
  EXPECT_THAT(TargetsOf(option), ElementsAre("low"));
  EXPECT_THAT(option.borrowed, ElementsAre(BorrowedAmount{a, cpu, Amount(2)}));
}

TEST_F(ConstraintsTest, AreNotTheReasonIfDroppingThemDoesNotHelp) {
  const NodeId q = AddQueue("q", {4});
  const NodeId other = AddQueue("other", {4});
  Run("mine", q, 4, a);
  Run("theirs", other, 4, a);
  Wait("w", q, 1, kBoth);
  const Decision decision = Decide();
  EXPECT_EQ(decision.reason, WaitReason::kWaitingForQuota);
  EXPECT_THAT(decision.blocked_options, IsEmpty());
}

TEST_F(ConstraintsTest, AreTheReasonIfOnlyTheyMakeTheRequestTooLarge) {
  const NodeId q = AddQueue("q", {4});
  const NodeId other = AddQueue("other", {4});
  Run("theirs", other, 8, a);
  Wait("w", q, 6, kCannotBorrow);
  const Decision decision = Decide();
  EXPECT_EQ(decision.reason, WaitReason::kAdmissionConstrained);
  EXPECT_THAT(decision.blocked_options,
              ElementsAre(AllOf(Field(&BlockedOption::is_available, false),
                                Field(&BlockedOption::borrowed,
                                      ElementsAre(BorrowedAmount{a, cpu, Amount(2)})))));
}

TEST_F(ConstraintsTest, CountWhatASliceHoldsIfItsGrowthIsTooLarge) {
  const NodeId q = AddQueue("q", {4});
  const NodeId other = AddQueue("other", {8});
  Run("theirs", other, 8, a);
  Run("slice", q, 2, a);
  Wait("grown", q, 10, kCannotBorrow, "slice");
  const Decision decision = Decide();
  EXPECT_THAT(
      decision.blocked_options,
      ElementsAre(Field(&BlockedOption::borrowed, ElementsAre(BorrowedAmount{a, cpu, Amount(6)}))));
}

TEST_F(ConstraintsTest, CannotBorrowPreemptsDownToNominalQuota) {
  const NodeId q = AddQueue("q", {4}, kWithin);
  AddQueue("other", {4});
  Run("one", q, 3, a);
  Run("two", q, 3, a);
  Wait("w", q, 4, kCannotBorrow);
  const Decision decision = Decide();
  EXPECT_EQ(decision.outcome, Outcome::kPreempting);
  EXPECT_THAT(decision.targets, SizeIs(2));
}

TEST_F(ConstraintsTest, AreReplacedWhenTheWorkloadIsUpdated) {
  const NodeId q = AddQueue("q", {4});
  AddQueue("other", {4});
  const WorkloadId w = Wait("w", q, 6, kCannotBorrow);
  EXPECT_EQ(Decide().reason, WaitReason::kAdmissionConstrained);
  Wait("w", q, 6, {});
  EXPECT_EQ(Decide().outcome, Outcome::kAdmitted);
  engine.Undo(w);
  EXPECT_EQ(Decide().outcome, Outcome::kAdmitted);
}

TEST_F(ConstraintsTest, AreARemedyIfDroppingThemAdmits) {
  const NodeId q = AddQueue("q", {4}, kWithin);
  AddQueue("other", {4});
  Run("low", q, 4, a);
  const WorkloadId w = Wait("w", q, 4, kBoth);
  const Explanation e = engine.Explain(w);
  EXPECT_EQ(e.reason, WaitReason::kAdmissionConstrained);
  EXPECT_EQ(e.preemption.attempt, PreemptionAttempt::kBlocked);
  std::vector<AdmissionConstraints> dropped;
  for (const Remedy& remedy : e.remedies) {
    if (remedy.kind == RemedyKind::kDropConstraints) dropped.push_back(remedy.constraints);
  }
  EXPECT_THAT(dropped, ElementsAre(kCannotPreempt, kCannotBorrow));
  ASSERT_THAT(e.searches, SizeIs(1));
  const ResourceFigures& figures = e.searches[0].flavors[0].resources[0];
  EXPECT_EQ(figures.available, Amount(0));
  EXPECT_EQ(figures.borrowable, Amount(4));
  EXPECT_EQ(figures.potential, Amount(4));
  EXPECT_EQ(figures.shortfall, Amount(4));
  EXPECT_EQ(figures.blocked_by, kBoth);
}

TEST_F(ConstraintsTest, AreNotReportedIfThePolicyIsNeverOrPreemptionHelps) {
  const NodeId never = AddQueue("never", {4});
  Run("one", never, 4, a);
  Explanation e = engine.Explain(Wait("w", never, 4, kCannotPreempt));
  EXPECT_EQ(e.preemption.attempt, PreemptionAttempt::kTried);
  EXPECT_FALSE(e.searches[0].flavors[0].resources[0].blocked_by.any());

  const NodeId q = AddQueue("q", {4}, kWithin);
  Run("low", q, 4, a);
  AddQueue("other", {8});
  e = engine.Explain(Wait("v", q, 4, kCannotBorrow));
  EXPECT_EQ(e.outcome, Outcome::kPreempting);
  EXPECT_FALSE(e.searches[0].flavors[0].resources[0].blocked_by.any());
}

TEST_F(ConstraintsTest, AreRestoredAfterATrial) {
  const NodeId q = AddQueue("q", {4}, kReclaim);
  const NodeId other = AddQueue("other", {4});
  Run("theirs", other, 8, a);
  const WorkloadId w = Wait("w", q, 4, kCannotPreempt);
  engine.Explain(w);
  EXPECT_EQ(engine.state().workload(w).constraints, kCannotPreempt);
  EXPECT_EQ(Decide().reason, WaitReason::kAdmissionConstrained);
  EXPECT_EQ(engine.state().forest.cell(other, 0).usage, Amount(8));
}

}  // namespace
}  // namespace berth::engine
