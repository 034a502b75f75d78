#include "schema/json/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace berth::schema {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string Decimal(int64_t value) {
  std::string out;
  AppendInt(out, value);
  return out;
}

TEST(JsonText, StringsAreQuotedAndAppended) {
  std::string out = "[";
  AppendJsonString(out, "");
  AppendJsonString(out, "abc");
  EXPECT_EQ(out, R"(["""abc")");
}

TEST(JsonText, OnlyRequiredCharactersAreEscaped) {
  EXPECT_EQ(Quoted("say \"hi\" \\ bye"), R"("say \"hi\" \\ bye")");
  EXPECT_EQ(Quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(Quoted("</a> & \x7f \xe2\x80\xa8 \xf0\x9f\x9a\xa2"),
            "\"</a> & \x7f \xe2\x80\xa8 \xf0\x9f\x9a\xa2\"");
}

// The scan processes several bytes at a time: every byte value must be detected at every position
// in strings of every length.
TEST(JsonText, EscapesAreFoundAtEveryPosition) {
  for (int byte = 0; byte < 256; ++byte) {
    std::string escaped;
    AppendJsonEscaped(escaped, std::string(1, static_cast<char>(byte)));
    EXPECT_EQ(escaped.size() > 1, byte < 0x20 || byte == '"' || byte == '\\') << byte;
    for (size_t length = 1; length < 20; ++length) {
      for (size_t at = 0; at < length; ++at) {
        const std::string before(at, '\xff'), after(length - at - 1, '~');
        ASSERT_EQ(Quoted(before + static_cast<char>(byte) + after),
                  "\"" + before + escaped + after + "\"");
      }
    }
  }
}

TEST(JsonText, EscapedPiecesHaveNoQuotes) {
  std::string out;
  AppendJsonEscaped(out, "a\n");
  AppendJsonEscaped(out, "b");
  EXPECT_EQ(out, "a\\nb");
}

TEST(JsonText, IntegersKeepEveryDigit) {
  EXPECT_EQ(Decimal(0), "0");
  EXPECT_EQ(Decimal(-7), "-7");
  EXPECT_EQ(Decimal(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Decimal(std::numeric_limits<int64_t>::max()), "9223372036854775807");
  std::string out;
  AppendUint(out, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(out, "18446744073709551615");
}

}  // namespace
}  // namespace berth::schema
