#include "control/rate_limit.h"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

using base::Duration;

constexpr Duration kInterval = Duration::Seconds(1);

// How often it is done in so long a time, asked every 10 ms.
int TimesIn(Duration time, RateLimit& limit, base::Time begin) {
  int times = 0;
  for (base::Time now = begin; now < begin + time; now = now + Duration::Milliseconds(10)) {
    if (now < limit.Next(kInterval)) continue;
    limit.Record(now, kInterval);
    ++times;
  }
  return times;
}

TEST(RateLimit, LetsAFewChangesThroughAtOnce) {
  RateLimit limit(5);
  EXPECT_EQ(TimesIn(Duration::Milliseconds(100), limit, {1'000'000'000}), 5);
}

TEST(RateLimit, LetsOneThroughInAnIntervalAfterThem) {
  RateLimit limit(5);
  EXPECT_EQ(TimesIn(Duration::Seconds(60), limit, {1'000'000'000}), 5 + 59);
}

TEST(RateLimit, ForgetsABurstAfterAWhile) {
  RateLimit limit(5);
  TimesIn(Duration::Milliseconds(100), limit, {1'000'000'000});
  EXPECT_EQ(TimesIn(Duration::Milliseconds(100), limit, {1'010'000'000}), 5);
}

}  // namespace
}  // namespace berth::control
