#include "workload/requeue_backoff.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace berth::workload {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

int64_t DelayOf(BackoffSettings settings, int32_t attempt) {
  return BackoffDelay(settings, attempt, 0).nanos;
}

TEST(Backoff, DoublesUpToTheMaximum) {
  const BackoffSettings settings{.base_seconds = 60, .max_seconds = 200};
  EXPECT_EQ(DelayOf(settings, 1), 60 * kSecond);
  EXPECT_EQ(DelayOf(settings, 2), 120 * kSecond);
  EXPECT_EQ(DelayOf(settings, 3), 200 * kSecond);
  EXPECT_EQ(DelayOf(settings, std::numeric_limits<int32_t>::max()), 200 * kSecond);
}

TEST(Backoff, IsTheBaseAtFirstEvenAboveTheMaximum) {
  const BackoffSettings settings{.base_seconds = 60, .max_seconds = 1};
  EXPECT_EQ(DelayOf(settings, 1), 60 * kSecond);
  EXPECT_EQ(DelayOf(settings, 2), 1 * kSecond);
}

TEST(Backoff, WithoutMaximumEndsBeforeTimeOverflows) {
  const BackoffSettings settings{.base_seconds = std::numeric_limits<int32_t>::max(),
                                 .max_seconds = 0};
  EXPECT_EQ(DelayOf(settings, 2), 2 * DelayOf(settings, 1));
  EXPECT_EQ(DelayOf(settings, 1000), int64_t{1} << 62);
}

TEST(Backoff, OfZeroStaysZero) {
  EXPECT_EQ(DelayOf({.base_seconds = 0, .max_seconds = 10}, 1000), 0);
}

TEST(Jitter, AddsATenThousandthAtMostAndPassesTheMaximum) {
  const BackoffSettings settings{.base_seconds = 10, .max_seconds = 10};
  EXPECT_EQ(BackoffDelay(settings, 3, 0.5).nanos, 10 * kSecond + 500'000);
  EXPECT_EQ(BackoffDelay(settings, 3, 1).nanos, 10 * kSecond + 1'000'000);
}

TEST(Requeue, CountsAndKeepsALaterTime) {
  const BackoffSettings settings{.base_seconds = 60};
  const base::Time now = base::Time::FromSeconds(1000);
  EXPECT_EQ(NextRequeue(settings, std::nullopt, std::nullopt, now, 0),
            (Requeue{1, base::Time::FromSeconds(1060)}));
  EXPECT_EQ(NextRequeue(settings, 1, base::Time::FromSeconds(1100), now, 0),
            (Requeue{2, base::Time::FromSeconds(1120)}));
  EXPECT_EQ(NextRequeue(settings, 1, base::Time::FromSeconds(1200), now, 0),
            (Requeue{2, base::Time::FromSeconds(1200)}));
}

}  // namespace
}  // namespace berth::workload
