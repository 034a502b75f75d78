#include "base/text.h"

#include <gtest/gtest.h>

namespace berth::base {
namespace {

TEST(Text, LettersAreAscii) {
  EXPECT_TRUE(IsLetterOrDigit('a') && IsLetterOrDigit('Z') && IsLetterOrDigit('0'));
  EXPECT_FALSE(IsLetterOrDigit('-') || IsLetterOrDigit('\xc3') || IsLetterOrDigit('\0'));
  EXPECT_FALSE(IsLowerOrDigit('A'));
}

TEST(Text, LowerCaseLeavesOtherBytesAlone) { EXPECT_EQ(LowerCase("PyTorch-Ä1"), "pytorch-Ä1"); }

TEST(Text, BlanksAreTrimmedAtBothEndsOnly) {
  EXPECT_EQ(Trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trimmed(" \n "), "");
}

TEST(Text, BooleansHaveSixSpellingsEach) {
  EXPECT_EQ(ParseBool("T"), true);
  EXPECT_EQ(ParseBool("False"), false);
  EXPECT_EQ(ParseBool("tRUE"), std::nullopt);
  EXPECT_EQ(ParseBool("yes"), std::nullopt);
  EXPECT_EQ(ParseBool(""), std::nullopt);
}

}  // namespace
}  // namespace berth::base
