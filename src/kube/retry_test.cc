#include "kube/retry.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using base::Duration;

constexpr FailedAttempt kFirstRead{.is_read = true, .was_sent = true};
constexpr FailedAttempt kFirstWrite{.is_read = false, .was_sent = true};

TEST(Retry, HonoursRetryAfter) {
  EXPECT_EQ(PauseBeforeRetry(store::TooManyRequests("", 7), kFirstWrite), Duration::Seconds(7));
}

TEST(Retry, DoublesTheBackOffUpToItsLimit) {
  FailedAttempt attempt = kFirstRead;
  EXPECT_EQ(PauseBeforeRetry(store::Unavailable(""), attempt), Duration::Milliseconds(100));
  attempt.number = 4;
  EXPECT_EQ(PauseBeforeRetry(store::Unavailable(""), attempt), Duration::Milliseconds(800));
  attempt.number = 90;
  EXPECT_EQ(PauseBeforeRetry(store::Unavailable(""), attempt, {.most_attempts = 100}),
            Duration::Seconds(10));
}

TEST(Retry, EndsAfterTheMostAttempts) {
  EXPECT_TRUE(PauseBeforeRetry(store::Unavailable(""), {.is_read = true, .number = 7}));
  EXPECT_FALSE(PauseBeforeRetry(store::Unavailable(""), {.is_read = true, .number = 8}));
}

TEST(Retry, DoesNotRepeatAWriteThatMayHaveHappened) {
  EXPECT_TRUE(PauseBeforeRetry(store::InternalError(""), kFirstRead));
  EXPECT_FALSE(PauseBeforeRetry(store::InternalError(""), kFirstWrite));
  EXPECT_TRUE(PauseBeforeRetry(store::Unreachable(""), kFirstRead));
  EXPECT_FALSE(PauseBeforeRetry(store::Unreachable(""), kFirstWrite));
}

TEST(Retry, RepeatsAWriteThatWasNotProcessed) {
  EXPECT_TRUE(PauseBeforeRetry(store::Unreachable(""), {.is_read = false, .was_sent = false}));
  EXPECT_TRUE(PauseBeforeRetry(store::TooManyRequests("", 0), kFirstWrite));
  EXPECT_TRUE(PauseBeforeRetry(store::Unavailable(""), kFirstWrite));
}

TEST(Retry, DoesNotRepeatARejectedRequest) {
  EXPECT_FALSE(PauseBeforeRetry(store::BadRequest(""), kFirstRead));
  EXPECT_FALSE(PauseBeforeRetry(store::Expired(""), kFirstRead));
}

}  // namespace
}  // namespace berth::kube
