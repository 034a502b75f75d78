// What the quota tree says about each queue.

#include "query/quota_figures.h"

#include <gmock/gmock.h>

#include "query/number.h"
#include "query/testing/cluster.h"

namespace berth::query {
namespace {

class QuotaFiguresTest : public testing::TeamsTest {
 protected:
  // Of the only column.
  QuotaFigures FiguresIn(std::string_view name, bool is_cohort = false) {
    const engine::QuotaForest& forest = cluster_.engine().state().forest;
    const engine::NodeId node = is_cohort ? forest.FindCohort(name) : forest.FindQueue(name);
    return FiguresOf(forest, node, LentQuota(forest), {}).at(0);
  }
};

TEST_F(QuotaFiguresTest, QueueWithinNominalQuotaBorrowsNothing) {
  Add({.team = "red", .name = "a", .cpu = "7", .is_admitted = true});
  EXPECT_EQ(FiguresIn("red").used, 7000);
  EXPECT_EQ(FiguresIn("red").borrowed, 0);
  EXPECT_EQ(FiguresIn("red").lent, 0);
  EXPECT_EQ(FiguresIn("red").available, 15000);
}

TEST_F(QuotaFiguresTest, UsageBeyondNominalQuotaIsBorrowed) {
  Add({.team = "red", .name = "a", .cpu = "15", .is_admitted = true});
  EXPECT_EQ(FiguresIn("red").borrowed, 5000);
}

TEST_F(QuotaFiguresTest, QuotaOfTheCohortIsLentBeforeThatOfQueues) {
  Add({.team = "red", .name = "a", .cpu = "12", .is_admitted = true});
  EXPECT_EQ(FiguresIn("blue").lent, 0);
  Add({.team = "red", .name = "b", .cpu = "3", .is_admitted = true});
  EXPECT_EQ(FiguresIn("blue").lent, 3000);
}

TEST_F(QuotaFiguresTest, QueueLendsNoMoreThanItLeavesUnused) {
  Add({.team = "blue", .name = "a", .cpu = "8", .is_admitted = true});
  Add({.team = "red", .name = "a", .cpu = "20", .is_admitted = true});  // 6 more than there are
  EXPECT_EQ(FiguresIn("blue").lent, 2000);
  EXPECT_EQ(FiguresIn("blue").available, 0) << "never negative";
}

TEST_F(QuotaFiguresTest, LentQuotaIsSplitInProportionToWhatIsUnused) {
  Apply(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: green}
spec:
  cohortName: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 5}]}]
)");
  Add({.team = "red", .name = "a", .cpu = "18", .is_admitted = true});
  EXPECT_EQ(FiguresIn("blue").lent, 4000);
  EXPECT_EQ(FiguresIn("green").lent, 2000);
}

TEST_F(QuotaFiguresTest, CohortSumsUpItsSubtree) {
  Add({.team = "red", .name = "a", .cpu = "15", .is_admitted = true});
  Add({.team = "blue", .name = "a", .cpu = "1", .is_admitted = true});
  EXPECT_EQ(FiguresIn("all", true).nominal, 22000);
  EXPECT_EQ(FiguresIn("all", true).used, 16000);
  EXPECT_EQ(FiguresIn("all", true).borrowed, 0);
}

TEST(NumberText, IsExactInBaseUnits) {
  EXPECT_EQ(NumberText("cpu", quantity::Amount(1500)), "1.5");
  EXPECT_EQ(NumberText("cpu", quantity::Amount(-5)), "-0.005");
  EXPECT_EQ(NumberText("cpu", quantity::Amount(2000)), "2");
  EXPECT_EQ(NumberText("memory", quantity::Amount(int64_t{1} << 60)), "1152921504606846976");
  EXPECT_EQ(NumberText("memory", quantity::Amount::Unlimited()), "null");
}

}  // namespace
}  // namespace berth::query
