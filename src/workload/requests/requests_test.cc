#include "workload/requests/requests.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "workload/testing/pods.h"

namespace berth::workload {
namespace {

using testing::Amounts;
using testing::Texts;
using testing::TextsOf;

TEST(Requests, CountCpuInThousandthsAndRoundUp) {
  EXPECT_EQ(ToRequests(Amounts({{"cpu", "1500u"}, {"memory", "1500m"}})),
            (Requests{{"cpu", 2}, {"memory", 2}}));
}

TEST(ReclaimablePods, NeedNoQuotaAndNeverMakeCountsNegative) {
  EXPECT_EQ(CountAfterReclaim(5, 0), 5);
  EXPECT_EQ(CountAfterReclaim(5, 2), 3);
  EXPECT_EQ(CountAfterReclaim(5, 7), 0);
  EXPECT_EQ(CountAfterReclaim(5, -1), 5);
  EXPECT_EQ(CountAfterReclaim(0, 3), 0);
}

TEST(SumOfRequests, StopsAtTheLargestNumber) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::vector<PodSetTotals> pod_sets{{"a", 1, {{"cpu", kMax}, {"gpu", 1}}},
                                           {"b", 1, {{"cpu", 5}, {"gpu", 2}}}};
  EXPECT_EQ(Sum(pod_sets), (Requests{{"cpu", kMax}, {"gpu", 3}}));
}

TEST(RequestTexts, AreThoseOfStatus) {
  EXPECT_EQ(TextsOf(ToQuantities({{"cpu", 1500}, {"memory", 1536}, {"gpu", 2}}, {})),
            (Texts{{"cpu", "1500m"}, {"memory", "1536"}, {"gpu", "2"}}));
}

}  // namespace
}  // namespace berth::workload
