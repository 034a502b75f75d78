#include "store/inbox.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth::store {
namespace {

TEST(Inbox, AdvancingMakesTimedTasksDue) {
  Inbox inbox;
  int due = 0;
  inbox.PostAfter(base::Duration::Seconds(60), [&] { ++due; });
  inbox.PostAfter(base::Duration::Seconds(3600), [&] { ++due; });
  EXPECT_EQ(inbox.RunReady(), 0);
  const base::Time before = inbox.Now();
  inbox.Advance(base::Duration::Seconds(60));
  EXPECT_EQ(inbox.RunReady(), 1);
  EXPECT_EQ(due, 1);
  EXPECT_GE((inbox.Now() - before).seconds(), 60);
}

TEST(Inbox, TasksThatArePostedAfterAnAdvanceWaitAsLongAsOthers) {
  Inbox inbox;
  inbox.Advance(base::Duration::Seconds(60));
  inbox.PostAfter(base::Duration::Seconds(60), [] {});
  EXPECT_EQ(inbox.RunReady(), 0);
}

// Such as the pause until a time in the year 9999.
TEST(Inbox, TasksOfTheLongestDelayAreNotDue) {
  Inbox inbox;
  inbox.PostAfter({std::numeric_limits<int64_t>::max()}, [] {});
  EXPECT_EQ(inbox.RunReady(), 0);
}

}  // namespace
}  // namespace berth::store
