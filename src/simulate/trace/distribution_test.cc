#include "simulate/trace/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace berth::simulate {
namespace {

std::vector<double> DrawMany(std::string_view text, uint64_t seed = 1) {
  const base::Result<Distribution> distribution = Distribution::Parse(text);
  std::vector<double> seconds;
  if (!distribution) return seconds;
  base::Random random(seed);
  for (int i = 0; i < 20'000; ++i) seconds.push_back(distribution->Draw(random).seconds());
  std::ranges::sort(seconds);
  return seconds;
}

TEST(Distributions, HaveTheShapeThatIsWritten) {
  EXPECT_EQ(DrawMany("30m").front(), 1800);
  EXPECT_EQ(DrawMany("30m").back(), 1800);
  const std::vector<double> uniform = DrawMany("uniform(10s, 20s)");
  EXPECT_GE(uniform.front(), 10);
  EXPECT_LE(uniform.back(), 20);
  EXPECT_NEAR(uniform[10'000], 15, 0.3);
  const std::vector<double> lognormal = DrawMany("lognormal(1h,6h)");
  EXPECT_NEAR(lognormal[10'000], 3600, 150);
  EXPECT_NEAR(lognormal[18'000], 6 * 3600, 1200);
  EXPECT_NEAR(DrawMany("exponential(100s)")[10'000], 69.3, 3);
}

TEST(Distributions, AreTheSameForTheSameSeed) {
  EXPECT_EQ(DrawMany("lognormal(1h, 6h)", 5), DrawMany("lognormal(1h, 6h)", 5));
  EXPECT_NE(DrawMany("lognormal(1h, 6h)", 5), DrawMany("lognormal(1h, 6h)", 6));
}

TEST(Distributions, RefuseWhatIsNone) {
  for (const char* text : {"", "x", "-1s", "uniform(2h, 1h)", "uniform(1h)", "normal(1h, 2h)",
                           "lognormal(0s, 1h)", "exponential(1h", "uniform(1h,2h,3h)", "1e30h"})
    EXPECT_FALSE(Distribution::Parse(text)) << text;
}

TEST(Distributions, GoBeyondWhatHasPassed) {
  base::Random random(1);
  const Distribution drawn = *Distribution::Parse("exponential(100s)");
  for (int i = 0; i < 100; ++i)
    EXPECT_GT(drawn.DrawBeyond(base::Duration::Seconds(50), random), base::Duration::Seconds(50));
  EXPECT_EQ(Distribution::Parse("10s")->DrawBeyond(base::Duration::Seconds(50), random),
            base::Duration::Seconds(50));
}

}  // namespace
}  // namespace berth::simulate
