#include "base/suggest.h"

#include <array>
#include <string>

#include "gtest/gtest.h"

namespace berth::base {
namespace {

constexpr std::array<std::string_view, 5> kFields = {"nominalQuota", "borrowingLimit",
                                                     "lendingLimit", "name", "flavors"};

TEST(NearestWord, IgnoresCase) {
  EXPECT_EQ(NearestWord("nominalquota", kFields), "nominalQuota");
  EXPECT_EQ(NearestWord("NAME", kFields), "name");
}

TEST(NearestWord, FindsTyposOfEveryKind) {
  EXPECT_EQ(NearestWord("flavorss", kFields), "flavors");          // insertion
  EXPECT_EQ(NearestWord("nominaQuota", kFields), "nominalQuota");  // deletion
  EXPECT_EQ(NearestWord("mame", kFields), "name");                 // replacement
  EXPECT_EQ(NearestWord("flavosr", kFields), "flavors");           // transposition
}

TEST(NearestWord, IsEmptyForDistantWords) {
  EXPECT_EQ(NearestWord("resources", kFields), "");
  EXPECT_EQ(NearestWord("x", kFields), "");
  EXPECT_EQ(NearestWord("", kFields), "");
  EXPECT_EQ(NearestWord("name", {}), "");
  EXPECT_EQ(NearestWord(std::string(100'000, 'n'), kFields), "");
}

TEST(NearestWord, PrefersTheNearerThenTheFirst) {
  constexpr std::array<std::string_view, 3> kWords = {"cohorts", "cohort", "cohart"};
  EXPECT_EQ(NearestWord("cohort", kWords), "cohort");
  EXPECT_EQ(NearestWord("cohxrt", kWords), "cohort");
}

TEST(DidYouMean, QuotesTheWordOrIsEmpty) {
  EXPECT_EQ(DidYouMean("flavor", kFields), "did you mean \"flavors\"?");
  EXPECT_EQ(DidYouMean("zzz", kFields), "");
}

}  // namespace
}  // namespace berth::base
