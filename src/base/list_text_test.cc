#include "base/list_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::base {
namespace {

const std::vector<std::string> kThree = {"a", "b", "c"};

TEST(ListText, NamesAllOfAShortList) {
  EXPECT_EQ(ListText({}), "");
  EXPECT_EQ(ListText(kThree), "a, b, c");
  EXPECT_EQ(ListText(kThree, {.last = " and ", .most = 3}), "a, b and c");
  EXPECT_EQ(ListText(kThree, {.separator = "; ", .last = " or "}), "a; b or c");
}

TEST(ListText, CountsTheRestOfALongList) {
  EXPECT_EQ(ListText(kThree, {.most = 2}), "a, b and 1 more");
  EXPECT_EQ(ListText(kThree, {.last = " or ", .total = 7}), "a, b, c or 4 more");
  EXPECT_EQ(ListText(kThree, {.most = 1, .total = 7}), "a and 6 more");
}

TEST(CountText, PutsTheNounInThePluralExceptForOne) {
  EXPECT_EQ(CountText(0, "pod"), "0 pods");
  EXPECT_EQ(CountText(1, "pod"), "1 pod");
  EXPECT_EQ(CountText(2, "pod"), "2 pods");
}

}  // namespace
}  // namespace berth::base
