#include "engine/quota/quota_forest.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"

namespace berth::engine {
namespace {

// One flavor, one resource: column 0 in every tree.
class QuotaForestTest : public ::testing::Test {
 protected:
  std::vector<ResourceGroup> Cpu(Quota quota) {
    return {{.resources = {forest.Resource("cpu")},
             .flavors = {{.flavor = forest.Flavor("f"), .quotas = {quota}}}}};
  }
  NodeId AddQueue(std::string name, std::string cohort, Quota quota) {
    return forest.SetQueue(
        {.name = std::move(name), .cohort = std::move(cohort), .groups = Cpu(quota)});
  }
  void AddCohort(std::string name, std::string parent, Quota quota) {
    forest.SetCohort({.name = std::move(name), .parent = std::move(parent), .groups = Cpu(quota)});
  }
  int64_t Available(NodeId node) { return forest.Available(node, 0).value(); }
  int64_t Potential(NodeId node) { return forest.cell(node, 0).potential.value(); }
  int64_t UsageOfCohort(std::string_view name) {
    return forest.cell(forest.FindCohort(name), 0).usage.value();
  }

  QuotaForest forest;
};

TEST_F(QuotaForestTest, QueueAloneHasItsNominalQuotaAndNoMore) {
  const NodeId a = AddQueue("a", "", {.nominal = Amount(10), .borrowing_limit = Amount(5)});
  forest.Rebuild({});
  EXPECT_EQ(Available(a), 10);
  forest.AddUsage(a, 0, Amount(12));
  EXPECT_EQ(Available(a), -2);
}

TEST_F(QuotaForestTest, UnusedQuotaOfTheCohortIsAvailableToAll) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(10)});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(6)});
  forest.Rebuild({});
  EXPECT_EQ(Available(a), 16);
  forest.AddUsage(b, 0, Amount(2));
  EXPECT_EQ(Available(a), 14);
}

TEST_F(QuotaForestTest, BorrowingLimitBoundsWhatAQueueTakesBeyondNominal) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(10), .borrowing_limit = Amount(3)});
  AddQueue("b", "co", {.nominal = Amount(20)});
  forest.Rebuild({});
  EXPECT_EQ(Available(a), 13);
  forest.AddUsage(a, 0, Amount(11));
  EXPECT_EQ(Available(a), 2);
}

TEST_F(QuotaForestTest, LendingLimitKeepsTheRestForTheQueueItself) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(10), .lending_limit = Amount(4)});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(1)});
  forest.Rebuild({});
  EXPECT_EQ(Available(b), 5);
  EXPECT_EQ(Available(a), 11);
  forest.AddUsage(a, 0, Amount(6));  // its local quota: the lendable part is unaffected
  EXPECT_EQ(Available(b), 5);
  EXPECT_EQ(UsageOfCohort("co"), 0);
  forest.AddUsage(a, 0, Amount(1));
  EXPECT_EQ(Available(b), 4);
}

TEST_F(QuotaForestTest, QuotaOfACohortIsSharedByItsSubtree) {
  AddCohort("root", "", {.nominal = Amount(5)});
  AddCohort("left", "root", {.nominal = Amount(2), .borrowing_limit = Amount(1)});
  const NodeId a = AddQueue("a", "left", {.nominal = Amount(10)});
  const NodeId b = AddQueue("b", "root", {.nominal = Amount(0)});
  forest.Rebuild({});
  EXPECT_EQ(Available(a), 13);  // 10 + 2, and 1 borrowed by left
  EXPECT_EQ(Available(b), 17);
  EXPECT_EQ(Potential(a), 13);
}

TEST_F(QuotaForestTest, UnlimitedQuotaStaysUnlimited) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount::Unlimited()});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(1)});
  forest.Rebuild({});
  forest.AddUsage(a, 0, Amount(std::numeric_limits<int64_t>::max() - 1));
  EXPECT_TRUE(forest.Available(b, 0).is_unlimited());
}

TEST_F(QuotaForestTest, CohortsInACycleHaveNoTree) {
  AddCohort("x", "y", {});
  AddCohort("y", "x", {});
  const NodeId a = AddQueue("a", "x", {.nominal = Amount(1)});
  const NodeId b = AddQueue("b", "z", {.nominal = Amount(1)});
  forest.Rebuild({});
  EXPECT_TRUE(forest.node(a).is_in_cycle);
  EXPECT_FALSE(forest.HasTree(a));
  EXPECT_TRUE(forest.HasTree(b));
  AddCohort("y", "", {});
  forest.Rebuild({});
  EXPECT_TRUE(forest.HasTree(a));
}

TEST_F(QuotaForestTest, HeightCountsLevelsToTheDeepestQueue) {
  AddCohort("root", "", {});
  AddCohort("left", "root", {});
  const NodeId a = AddQueue("a", "left", {});
  forest.Rebuild({});
  EXPECT_EQ(forest.node(a).height, 0u);
  EXPECT_EQ(forest.node(forest.FindCohort("left")).height, 1u);
  EXPECT_EQ(forest.node(forest.FindCohort("root")).height, 2u);
}

TEST_F(QuotaForestTest, TrialUndoesEverythingExactly) {
  const NodeId a = AddQueue("a", "co", {.nominal = Amount(10), .lending_limit = Amount(4)});
  const NodeId b = AddQueue("b", "co", {.nominal = Amount(10)});
  forest.Rebuild({});
  forest.AddUsage(a, 0, Amount(8));
  const int64_t before = Available(b);
  {
    UsageTrial outer(forest);
    forest.RemoveUsage(a, 0, Amount(8));
    {
      UsageTrial inner(forest);
      forest.AddUsage(b, 0, Amount(30));
    }
    EXPECT_EQ(Available(b), before + 2);
    forest.AddUsage(a, 0, Amount(-3));  // a reservation may be negative
  }
  EXPECT_EQ(Available(b), before);
  EXPECT_EQ(forest.cell(a, 0).usage, Amount(8));
}

// --- Reference model computed from the definitions -----------------------------------------------

class NaiveForest {
 public:
  explicit NaiveForest(const QuotaForest& forest) : f_(forest) {}

  Amount SubtreeQuota(NodeId id) const {
    Amount sum = f_.cell(id, 0).nominal;
    for (const NodeId child : Children(id)) sum += SubtreeQuota(child) - LocalQuota(child);
    return sum;
  }
  Amount LocalQuota(NodeId id) const {
    const Amount limit = f_.cell(id, 0).lending_limit;
    return limit.is_unlimited() ? Amount(0) : Max(Amount(0), SubtreeQuota(id) - limit);
  }
  Amount Usage(NodeId id) const {
    if (f_.node(id).is_queue) return f_.cell(id, 0).usage;
    Amount sum;
    for (const NodeId child : Children(id)) sum += Max(Amount(0), Usage(child) - LocalQuota(child));
    return sum;
  }
  Amount Available(NodeId id) const {
    if (!f_.HasParent(id)) return SubtreeQuota(id) - Usage(id);
    const Amount borrowed = Max(Amount(0), Usage(id) - LocalQuota(id));
    const Amount from_parent =
        Min(Available(f_.node(id).parent),
            SubtreeQuota(id) - LocalQuota(id) - borrowed + f_.cell(id, 0).borrowing_limit);
    return Max(Amount(0), LocalQuota(id) - Usage(id)) + from_parent;
  }

 private:
  std::vector<NodeId> Children(NodeId id) const {
    std::vector<NodeId> all = f_.node(id).child_queues;
    all.insert(all.end(), f_.node(id).child_cohorts.begin(), f_.node(id).child_cohorts.end());
    return all;
  }
  const QuotaForest& f_;
};

TEST_F(QuotaForestTest, AgreesWithTheDefinitionsAfterEveryChange) {
  base::Random random(7);
  const auto limit = [&] {
    return random.Chance(2) ? Amount::Unlimited() : Amount(random.Between(0, 20));
  };
  for (int round = 0; round < 50; ++round) {
    forest = QuotaForest();
    std::vector<NodeId> queues;
    for (int i = 0; i < 4; ++i) {
      AddCohort("c" + std::to_string(i),
                i == 0 ? "" : "c" + std::to_string(random.Below(static_cast<uint64_t>(i))),
                {Amount(random.Between(0, 9)), limit(), limit()});
    }
    for (int i = 0; i < 6; ++i) {
      queues.push_back(AddQueue("q" + std::to_string(i), "c" + std::to_string(random.Below(4)),
                                {Amount(random.Between(0, 20)), limit(), limit()}));
    }
    forest.Rebuild({});
    const NaiveForest naive(forest);
    std::vector<int64_t> used(queues.size());
    for (int step = 0; step < 40; ++step) {
      const size_t q = random.Below(queues.size());
      const int64_t change = random.Between(0, 15);
      if (random.Chance(2)) {
        forest.AddUsage(queues[q], 0, Amount(change));
        used[q] += change;
      } else if (change <= used[q]) {
        forest.RemoveUsage(queues[q], 0, Amount(change));
        used[q] -= change;
      }
      for (const NodeId queue : queues) {
        ASSERT_EQ(forest.Available(queue, 0), naive.Available(queue)) << round << ' ' << step;
        for (NodeId at = queue; !at.is_none(); at = forest.node(at).parent)
          ASSERT_EQ(forest.cell(at, 0).usage, naive.Usage(at));
      }
    }
  }
}

}  // namespace
}  // namespace berth::engine
