#include "base/ids.h"

#include <type_traits>

#include "gtest/gtest.h"

namespace berth::base {
namespace {

using QueueId = Id<struct QueueTag>;
using FlavorId = Id<struct FlavorTag>;

static_assert(!std::is_convertible_v<QueueId, FlavorId>);
static_assert(!std::is_constructible_v<QueueId, FlavorId>);
static_assert(!std::is_convertible_v<uint32_t, QueueId>);
static_assert(sizeof(QueueId) == sizeof(uint32_t));

TEST(Ids, AreNoneByDefault) {
  EXPECT_TRUE(QueueId().is_none());
  EXPECT_EQ(QueueId(), QueueId::None());
  EXPECT_FALSE(QueueId(0).is_none());
}

TEST(Ids, OrderByIndexWithNoneLast) {
  EXPECT_LT(QueueId(1), QueueId(2));
  EXPECT_LT(QueueId(2), QueueId::None());
  EXPECT_EQ(QueueId(7).index(), 7u);
  EXPECT_EQ(QueueId(7).value(), 7u);
}

}  // namespace
}  // namespace berth::base
