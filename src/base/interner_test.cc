#include "base/interner.h"

#include <string>
#include <type_traits>
#include <utility>

#include "gtest/gtest.h"

namespace berth::base {
namespace {

using NameId = Id<struct NameTag>;
using Names = Interner<NameId>;

static_assert(!std::is_copy_constructible_v<Names>);

TEST(Interning, AssignsDenseIdsInOrderOfFirstUse) {
  Names names;
  EXPECT_EQ(names.Intern("b"), NameId(0));
  EXPECT_EQ(names.Intern("a"), NameId(1));
  EXPECT_EQ(names.Intern("b"), NameId(0));
  EXPECT_EQ(names.Intern(""), NameId(2));
  EXPECT_EQ(names.size(), 3u);
}

TEST(Interning, FindsWithoutAdding) {
  Names names;
  names.Intern("spot");
  EXPECT_EQ(names.Find("spot"), NameId(0));
  EXPECT_TRUE(names.Find("on-demand").is_none());
  EXPECT_EQ(names.size(), 1u);
}

TEST(Interning, KeepsItsOwnCopyOfEveryName) {
  Names names;
  for (int i = 0; i < 10'000; ++i) names.Intern("queue-" + std::to_string(i));
  for (uint32_t i = 0; i < 10'000; ++i) {
    const std::string name = "queue-" + std::to_string(i);
    ASSERT_EQ(names.Name(NameId(i)), name);
    ASSERT_EQ(names.Find(name), NameId(i));
  }
}

TEST(Interning, SurvivesBeingMoved) {
  Names names;
  names.Intern("a");
  Names moved = std::move(names);
  EXPECT_EQ(moved.Find("a"), NameId(0));
  EXPECT_EQ(moved.Intern("b"), NameId(1));
}

TEST(InterningDeathTest, AnUnknownIdIsABug) {
  const Names names;
  EXPECT_DEATH(names.Name(NameId(0)), "CHECK failed");
  EXPECT_DEATH(names.Name(NameId::None()), "CHECK failed");
}

}  // namespace
}  // namespace berth::base
