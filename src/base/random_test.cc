#include "base/random.h"

#include <array>
#include <limits>

#include "gtest/gtest.h"

namespace berth::base {
namespace {

// The published SplitMix64 sequence for this seed.
TEST(RandomNumbers, AreTheSameEverywhere) {
  Random random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
}

TEST(RandomNumbers, StayInRangeAndReachItsEnds) {
  Random random(1);
  std::array<int, 5> seen{};
  for (int i = 0; i < 1000; ++i) {
    const int64_t number = random.Between(-2, 2);
    ASSERT_GE(number, -2);
    ASSERT_LE(number, 2);
    ++seen[static_cast<size_t>(number + 2)];
    ASSERT_LT(random.Below(3), 3u);
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(RandomNumbers, CoverTheWholeRangeOfInt64) {
  using Limits = std::numeric_limits<int64_t>;
  Random random(1);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) negative += random.Between(Limits::min(), Limits::max()) < 0;
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
  EXPECT_EQ(random.Between(Limits::max(), Limits::max()), Limits::max());
}

TEST(RandomNumbers, ChanceIsOneIn) {
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) hits += random.Chance(4);
  EXPECT_NEAR(hits, 2500, 200);
}

}  // namespace
}  // namespace berth::base
