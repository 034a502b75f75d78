// The past in bounded memory.

#include "query/usage_history.h"

#include <gmock/gmock.h>

#include "query/testing/cluster.h"

namespace berth::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Point = StepSeries::Point;

TEST(StepSeries, KeepsOnlyChanges) {
  StepSeries series;
  for (const int64_t at : {10, 15, 20}) series.Add(at, 1);
  series.Add(25, 2);
  EXPECT_THAT(series.Between(0, 30, 10), ElementsAre(Point{10, 1}, Point{25, 2}, Point{30, 2}));
}

TEST(StepSeries, BeginsWithTheValueAtTheStart) {
  StepSeries series;
  series.Add(10, 1);
  series.Add(20, 2);
  EXPECT_THAT(series.Between(15, 18, 10), ElementsAre(Point{15, 1}, Point{18, 1}));
  EXPECT_THAT(series.Between(0, 5, 10), IsEmpty());
}

TEST(StepSeries, ThePastBecomesCoarser) {
  StepSeries series;
  for (int i = 0; i < 100'000; ++i) series.Add(i, i);
  const std::vector<Point> all = series.Between(0, 100'000, 100'000);
  EXPECT_LE(all.size(), StepSeries::kMost + 2);
  EXPECT_EQ(all.back().value, 99'999);
  EXPECT_EQ(all[all.size() - 3].value, 99'998) << "recent values are complete";
}

TEST(StepSeries, ReturnsNoMorePointsThanAsked) {
  StepSeries series;
  for (int i = 0; i < 700; ++i) series.Add(i, i);
  EXPECT_LE(series.Between(0, 700, 50).size(), 52u);
}

class UsageHistoryTest : public testing::TeamsTest {};

TEST_F(UsageHistoryTest, SamplesQueuesAndCohorts) {
  UsageHistory history;
  history.Sample(cluster_, testing::kNow);
  Add({.team = "red", .name = "a", .cpu = "4", .is_admitted = true});
  Add({.team = "red", .name = "b"});
  history.Sample(cluster_, testing::kNow + UsageHistory::kStep);
  const auto* red = history.Find(false, "red");
  ASSERT_NE(red, nullptr);
  EXPECT_THAT(red->columns.at({"cpu", "standard"}).used.Between(0, 1'800'000'005, 10),
              ElementsAre(Point{1'800'000'000, 0}, Point{1'800'000'005, 4}));
  EXPECT_THAT(ToJson(*history.Find(true, "all"),
                     {.is_cohort = true, .name = "all", .from = 0, .to = 1'800'000'010}),
              HasSubstr(R"("pending":[[1800000000,0],[1800000005,1],[1800000010,1]])"));
}

TEST_F(UsageHistoryTest, ForgetsDeletedQueues) {
  UsageHistory history;
  history.Sample(cluster_, testing::kNow);
  cluster_.Delete(api::ClusterQueue::KindInfo(), "", "red");
  cluster_.Sync(testing::kNow);
  history.Sample(cluster_, testing::kNow + UsageHistory::kStep);
  EXPECT_EQ(history.Find(false, "red"), nullptr);
}

}  // namespace
}  // namespace berth::query
