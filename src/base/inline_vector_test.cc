#include "base/inline_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <utility>

namespace berth::base {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(InlineVector, KeepsElementsBeyondTheInlineCapacity) {
  InlineVector<int, 2> values;
  EXPECT_THAT(values, IsEmpty());
  for (const int value : {3, 1, 4, 1, 5}) values.push_back(value);
  EXPECT_THAT(values, ElementsAre(3, 1, 4, 1, 5));
  values[1] = 9;
  EXPECT_THAT(std::span<const int>(values), ElementsAre(3, 9, 4, 1, 5));
}

TEST(InlineVector, ClearingKeepsTheMemory) {
  InlineVector<int, 2> values;
  for (int i = 0; i < 3; ++i) values.push_back(i);
  const int* before = values.data();
  values.clear();
  EXPECT_TRUE(values.empty());
  for (int i = 0; i < 4; ++i) values.push_back(i);
  EXPECT_EQ(values.data(), before);
}

TEST(InlineVector, MovingLeavesAnEmptyOne) {
  InlineVector<int, 2> few, many;
  few.push_back(1);
  for (int i = 0; i < 3; ++i) many.push_back(i);
  InlineVector<int, 2> moved = std::move(many);
  EXPECT_THAT(moved, ElementsAre(0, 1, 2));
  moved = std::move(few);
  EXPECT_THAT(moved, ElementsAre(1));
  many.push_back(5);
  few.push_back(6);
  EXPECT_THAT(many, ElementsAre(5));
  EXPECT_THAT(few, ElementsAre(6));
}

TEST(InlineVector, PushBackAcceptsItsOwnElement) {
  InlineVector<int, 1> values;
  values.push_back(7);
  values.push_back(values[0]);
  EXPECT_THAT(values, ElementsAre(7, 7));
}

}  // namespace
}  // namespace berth::base
