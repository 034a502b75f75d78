#include "base/name_pool.h"

#include <gtest/gtest.h>

#include <string>

#include "base/ids.h"

namespace berth::base {
namespace {

using NameId = Id<struct PooledNameTag>;

TEST(NamePool, EqualNamesHaveOneId) {
  NamePool<NameId> pool;
  const NameId a = pool.Acquire("a");
  EXPECT_EQ(pool.Acquire("a"), a);
  EXPECT_NE(pool.Acquire("b"), a);
  EXPECT_EQ(pool.Name(a), "a");
  EXPECT_EQ(pool.Find("a"), a);
  EXPECT_TRUE(pool.Find("c").is_none());
}

TEST(NamePool, ANameLastsUntilItsLastReferenceIsReleased) {
  NamePool<NameId> pool;
  const NameId a = pool.Acquire("a");
  pool.Acquire(a);
  pool.Release(a);
  EXPECT_EQ(pool.Find("a"), a);
  pool.Release(a);
  EXPECT_TRUE(pool.Find("a").is_none());
  EXPECT_EQ(pool.Acquire("b"), a);
}

TEST(NamePool, DoesNotGrowWithNamesThatAreGone) {
  NamePool<NameId> pool;
  for (int i = 0; i < 1000; ++i) {
    const NameId id = pool.Acquire("name-" + std::to_string(i));
    EXPECT_EQ(id.value(), 0u);
    pool.Release(id);
  }
  EXPECT_EQ(pool.size(), 0u);
}

}  // namespace
}  // namespace berth::base
