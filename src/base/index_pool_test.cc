#include "base/index_pool.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::base {
namespace {

TEST(IndexPool, AssignsDenseIndices) {
  IndexPool<std::string> pool;
  EXPECT_EQ(pool.Make("a"), 0u);
  EXPECT_EQ(pool.Make("b"), 1u);
  EXPECT_EQ(pool[0], "a");
  EXPECT_EQ(pool[1], "b");
  EXPECT_EQ(pool.size(), 2u);
}

TEST(IndexPool, ReusesIndicesOfFreedItems) {
  IndexPool<std::string> pool;
  const uint32_t a = pool.Make("a"), b = pool.Make("b");
  pool.Free(a);
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.Make("c"), a);
  EXPECT_EQ(pool[a], "c");
  EXPECT_EQ(pool[b], "b");
  EXPECT_EQ(pool.bound(), 2u);
}

}  // namespace
}  // namespace berth::base
