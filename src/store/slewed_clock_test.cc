#include "store/slewed_clock.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'000'000 + seconds); }

TEST(SlewedClock, FollowsTheSystemClockForward) {
  SlewedClock clock;
  EXPECT_EQ(clock.Read(At(0), 0), At(0));
  EXPECT_EQ(clock.Read(At(1), kSecond), At(1));
  EXPECT_EQ(clock.Read(At(3600), 2 * kSecond), At(3600));
}

TEST(SlewedClock, RunsAtHalfSpeedUntilAClockThatWasSetBackHasCaughtUp) {
  SlewedClock clock;
  clock.Read(At(100), 0);
  EXPECT_EQ(clock.Read(At(90), 0), At(100));
  EXPECT_EQ(clock.Read(At(100), 10 * kSecond), At(105));
  EXPECT_EQ(clock.Read(At(108), 18 * kSecond), At(109));
  EXPECT_EQ(clock.Read(At(112), 22 * kSecond), At(112));
  EXPECT_EQ(clock.Read(At(113), 23 * kSecond), At(113));
}

}  // namespace
}  // namespace berth::store
