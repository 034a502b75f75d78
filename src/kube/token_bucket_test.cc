#include "kube/token_bucket.h"

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

using base::Duration;
using base::Time;

TEST(TokenBucket, AllowsABurstAndThenTheRate) {
  TokenBucket bucket(10, 3);
  const Time start = Time::FromSeconds(100);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.Take(start), Duration());
  EXPECT_EQ(bucket.Take(start), Duration::Milliseconds(100));
  EXPECT_EQ(bucket.Take(start), Duration::Milliseconds(200)) << "each waits for those before it";
}

TEST(TokenBucket, RefillsUpToTheBurst) {
  TokenBucket bucket(10, 2);
  const Time start = Time::FromSeconds(100);
  for (int i = 0; i < 2; ++i) bucket.Take(start);
  const Time later = start + Duration::Seconds(60);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(bucket.Take(later), Duration());
  EXPECT_GT(bucket.Take(later), Duration());
}

TEST(TokenBucket, HasNoLimitWithoutARate) {
  TokenBucket bucket(-1, 0);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(bucket.Take({}), Duration());
}

}  // namespace
}  // namespace berth::kube
