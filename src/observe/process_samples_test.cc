#include "observe/process_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::observe {
namespace {

TEST(ProcessStat, IsParsedAfterTheName) {
  const auto stat = ParseProcessStat(
      "42 (be) rth) S 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 4 0 9000 1000000 2500 1 2",
      100, 4096);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->cpu_seconds, 2);
  EXPECT_EQ(stat->resident_bytes, 2500 * 4096);
  EXPECT_EQ(stat->started_seconds, 90);
}

TEST(ProcessStat, ThatIsMalformedIsRejected) {
  EXPECT_FALSE(ParseProcessStat("", 100, 4096));
  EXPECT_FALSE(ParseProcessStat("42 (berth) S 1 2", 100, 4096));
}

TEST(ProcessSamples, AreOfThisProcess) {
  const std::vector<Sample> samples = ProcessSamples();
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_GT(samples[1].value, 1 << 20) << "bytes of memory";
  EXPECT_GT(samples[2].value, 1'600'000'000) << "seconds since 1970";
  EXPECT_GT(samples[3].value, 2) << "open files";
}

}  // namespace
}  // namespace berth::observe
