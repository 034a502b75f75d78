#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::base {
namespace {

// The vectors of RFC 3720, B.4, and the usual check value.
TEST(Crc32c, AgreesWithPublishedVectors) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(Crc32c, ChangesWithEveryBit) {
  const std::string text = "a record of 21 bytes.";
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(Crc32c(flipped), Crc32c(text)) << bit;
  }
}

}  // namespace
}  // namespace berth::base
