#include "control/report/usage_sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::control {
namespace {

constexpr base::Time kFirstSample = base::Time::FromSeconds(1'000'000);
constexpr UsageSampling kHourly{.half_life = base::Duration::Seconds(3600),
                                .interval = base::Duration::Seconds(300)};

base::Time After(int64_t seconds) { return kFirstSample + base::Duration::Seconds(seconds); }

double CpuOf(const UsageSample& sample) {
  const quantity::Quantity* cpu = sample.status.consumed_resources.Find("cpu");
  return cpu == nullptr ? -1 : cpu->ToDouble();
}

TEST(UsageSamples, StartAtZero) {
  const UsageSample first = SampleUsage({}, {{"cpu", 4}}, kHourly, kFirstSample);
  EXPECT_EQ(CpuOf(first), -1);
  EXPECT_EQ(first.status.last_update, kFirstSample);
  EXPECT_EQ(first.next, After(300));
}

TEST(UsageSamples, ApproachUsageByHalfPerHalfLife) {
  const UsageSample first = SampleUsage({}, {}, kHourly, kFirstSample);
  const UsageSample second = SampleUsage(first.status, {{"cpu", 4}}, kHourly, After(3600));
  EXPECT_DOUBLE_EQ(CpuOf(second), 2);
  const UsageSample third = SampleUsage(second.status, {{"cpu", 4}}, kHourly, After(7200));
  EXPECT_DOUBLE_EQ(CpuOf(third), 3);
}

TEST(UsageSamples, DecayWithoutUsage) {
  const UsageSample first = SampleUsage({}, {}, kHourly, kFirstSample);
  const UsageSample second = SampleUsage(first.status, {{"cpu", 4}}, kHourly, After(3600));
  EXPECT_DOUBLE_EQ(CpuOf(SampleUsage(second.status, {}, kHourly, After(7200))), 1);
}

TEST(UsageSamples, AreTakenOncePerInterval) {
  const UsageSample first = SampleUsage({}, {}, kHourly, kFirstSample);
  const UsageSample early = SampleUsage(first.status, {{"cpu", 4}}, kHourly, After(299));
  EXPECT_EQ(early.status, first.status);
  EXPECT_EQ(early.next, After(300));
}

TEST(UsageSamples, WithoutAHalfLifeAreReset) {
  const UsageSampling none{.half_life = {}, .interval = kHourly.interval};
  const UsageSample first = SampleUsage({}, {}, kHourly, kFirstSample);
  EXPECT_EQ(CpuOf(SampleUsage(first.status, {{"cpu", 4}}, none, After(600))), -1);
}

TEST(UsageSamples, OfBytesAreWhole) {
  const UsageSample first = SampleUsage({}, {}, kHourly, kFirstSample);
  const UsageSample second = SampleUsage(first.status, {{"memory", 64e9}}, kHourly, After(3600));
  EXPECT_EQ(second.status.consumed_resources.Find("memory")->ToString(), "32G");
}

}  // namespace
}  // namespace berth::control
