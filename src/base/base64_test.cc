#include "base/base64.h"

#include <gtest/gtest.h>

namespace berth::base {
namespace {

// The test vectors of RFC 4648, section 10.
TEST(Base64, PadsTheLastGroup) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foo"), "Zm9v");
  EXPECT_EQ(EncodeBase64("foob"), "Zm9vYg==");
  EXPECT_EQ(EncodeBase64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
}

TEST(Base64, DecodesEveryByteThatItEncodes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    EXPECT_EQ(DecodeBase64(EncodeBase64(bytes)), bytes);
  }
  EXPECT_EQ(EncodeBase64("\xfb\xff"), "+/8=");
}

TEST(Base64, IgnoresLineEndsOnDecoding) { EXPECT_EQ(DecodeBase64("Zm9v\r\nYmFy\n"), "foobar"); }

TEST(Base64, RejectsTextThatIsNotPaddedBase64) {
  for (const std::string_view text :
       {"Z", "Zg", "Zg=", "Zg===", "=", "Z===", "Zm9v=", "Zg==Zg==", "Zm-v", "Zm 9v"})
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace berth::base
