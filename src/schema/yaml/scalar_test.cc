#include "schema/yaml/scalar.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/yaml/binary.h"
#include "schema/yaml/number.h"
#include "schema/yaml/timestamp.h"

namespace berth::schema {
namespace {

struct Case {
  std::string text;
  std::string json;
};

void ExpectPlain(const std::vector<Case>& cases) {
  for (const auto& [text, json] : cases) {
    std::string out;
    AppendScalarJson(out, ResolvePlain(text), text);
    EXPECT_EQ(out, json) << text;
  }
}

void ExpectStrings(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_EQ(ResolvePlain(text).kind, YamlScalar::Kind::kString) << text;
  }
}

std::string Key(std::string_view text) {
  std::string out;
  return AppendScalarKey(out, ResolvePlain(text), text) ? out : "none";
}

// The JSON of a scalar with a tag, or "error".
std::string Tagged(std::string_view tag, std::string_view text) {
  std::string decoded, out;
  const auto scalar = ResolveTagged("tag:yaml.org,2002:" + std::string(tag), text, decoded);
  if (!scalar) return "error";
  AppendScalarJson(out, scalar->value, scalar->text);
  return out;
}

TEST(YamlPlainScalar, NullHasFiveSpellings) {
  ExpectPlain({{"", "null"}, {"~", "null"}, {"null", "null"}, {"Null", "null"}, {"NULL", "null"}});
  ExpectStrings({"nULL", "nil", "none", "~~"});
}

TEST(YamlPlainScalar, BooleansIncludeYesNoOnOffAndTheirLetters) {
  for (const char* word :
       {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}) {
    ExpectPlain({{word, "true"}});
  }
  for (const char* word :
       {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}) {
    ExpectPlain({{word, "false"}});
  }
  ExpectStrings({"yEs", "tRUE", "oN", "t", "f", "yess"});
}

TEST(YamlPlainScalar, IntegersComeInFourBasesWithSignsAndUnderscores) {
  ExpectPlain({{"0", "0"},
               {"-0", "0"},
               {"+12", "12"},
               {"1_000", "1000"},
               {"0x1F", "31"},
               {"-0X10", "-16"},
               {"0777", "511"},
               {"0o17", "15"},
               {"0b101", "5"},
               {"-0b11", "-3"},
               {"0b-11", "-3"},
               {"0_x_F", "15"}});
  ExpectStrings({"0x", "0xG", "0o8", "0b2", "_1", "--1", "1-", "0x1.8p1"});
}

TEST(YamlPlainScalar, IntegersAreExactTo64BitsAndFloatsBeyond) {
  ExpectPlain({{"9223372036854775807", "9223372036854775807"},
               {"-9223372036854775808", "-9223372036854775808"},
               {"9223372036854775808", "9223372036854775808"},
               {"18446744073709551615", "18446744073709551615"},
               {"0xFFFFFFFFFFFFFFFF", "18446744073709551615"},
               {"18446744073709551616", "18446744073709552000"},
               {"-9223372036854775809", "-9223372036854776000"},
               {"1234567890123456789012", "1.2345678901234568e+21"}});
}

TEST(YamlPlainScalar, FloatsPrintShortestAndLoseTheirPointWhenWhole) {
  ExpectPlain({{"0.1", "0.1"},
               {"1.0", "1"},
               {"1.", "1"},
               {".5", "0.5"},
               {"-.5", "-0.5"},
               {"1e3", "1000"},
               {"1E+2", "100"},
               {"-0.0", "-0"},
               {"1e20", "100000000000000000000"},
               {"1e21", "1e+21"},
               {"0.000001", "0.000001"},
               {"0.0000001", "1e-7"},
               {"5e-324", "5e-324"},
               {"1_0.2_5", "10.25"},
               {".2_5", "0.25"},
               {"08", "8"}});
  ExpectStrings({"1.2.3", "1e", "e5", ".", "._5", ".5_", "1,000", "0x1p3"});
}

TEST(YamlPlainScalar, FloatsPastTheRangeAreStringsAndTinyOnesAreZero) {
  ExpectPlain({{"1e-400", "0"}, {"-1e-99999999999999999999", "-0"}, {"0e99999", "0"}});
  ExpectStrings({"1e400", "-1e309", "1e99999999999999999999", "0.001e9999"});
}

TEST(YamlPlainScalar, InfinityAndNanAreFloats) {
  for (const char* text : {".inf", ".Inf", "+.INF", "-.inf", ".nan", ".NaN", ".NAN"}) {
    EXPECT_EQ(ResolvePlain(text).kind, YamlScalar::Kind::kFloat) << text;
  }
  ExpectStrings({".iNF", "inf", "+.nan", "NaN", "Infinity"});
}

TEST(YamlPlainScalar, DatesTimesAndBase60AreStrings) {
  ExpectStrings(
      {"2026-01-02", "2026-01-02T03:04:05Z", "12:30:45", "1:20", "1.2.3.4", "500m", "2Gi"});
}

TEST(YamlKey, NonStringsBecomeStrings) {
  EXPECT_EQ(Key("name"), R"("name")");
  EXPECT_EQ(Key("0x10"), R"("16")");
  EXPECT_EQ(Key("yes"), R"("true")");
  EXPECT_EQ(Key("2026-01-02"), R"("2026-01-02")");
  EXPECT_EQ(Key("-9223372036854775808"), R"("-9223372036854775808")");
}

TEST(YamlKey, FloatsTakeTheirSinglePrecisionForm) {
  EXPECT_EQ(Key("1.5"), R"("1.5")");
  EXPECT_EQ(Key("16777217.0"), R"("1.6777216e+07")");
  EXPECT_EQ(Key("100000.0"), R"("100000")");
  EXPECT_EQ(Key("1e6"), R"("1e+06")");
  EXPECT_EQ(Key("0.0001"), R"("0.0001")");
  EXPECT_EQ(Key("0.00001"), R"("1e-05")");
  EXPECT_EQ(Key("1e300"), R"(".inf")");
  EXPECT_EQ(Key("-.inf"), R"("-.inf")");
  EXPECT_EQ(Key(".nan"), R"(".nan")");
}

TEST(YamlKey, NullAndIntegersPastInt64CannotBeKeys) {
  EXPECT_EQ(Key("~"), "none");
  EXPECT_EQ(Key(""), "none");
  EXPECT_EQ(Key("9223372036854775808"), "none");
}

TEST(YamlTag, TheTextMustBeOfTheTagsType) {
  EXPECT_EQ(Tagged("str", "12"), R"("12")");
  EXPECT_EQ(Tagged("int", "0x10"), "16");
  EXPECT_EQ(Tagged("int", "1.5"), "error");
  EXPECT_EQ(Tagged("int", ""), "error");
  EXPECT_EQ(Tagged("float", "1"), "1");
  EXPECT_EQ(Tagged("float", "9223372036854775808"), "error");
  EXPECT_EQ(Tagged("bool", "off"), "false");
  EXPECT_EQ(Tagged("bool", "1"), "error");
  EXPECT_EQ(Tagged("null", ""), "null");
  EXPECT_EQ(Tagged("null", "x"), "error");
  EXPECT_EQ(Tagged("timestamp", "2026-1-2"), R"("2026-1-2")");
  EXPECT_EQ(Tagged("timestamp", "2026-02-30"), "error");
  EXPECT_EQ(Tagged("unheard-of", "12"), R"("12")");
}

TEST(YamlTag, BinaryIsDecodedAndMadeUtf8) {
  EXPECT_EQ(Tagged("binary", "aGVsbG8="), R"("hello")");
  EXPECT_EQ(Tagged("binary", "aGVs\nbG8=\n"), R"("hello")");
  EXPECT_EQ(Tagged("binary", ""), R"("")");
  EXPECT_EQ(Tagged("binary", "//5h"),
            "\"\xef\xbf\xbd\xef\xbf\xbd"
            "a\"");
  EXPECT_EQ(Tagged("binary", "aGVsbG8"), "error");
  EXPECT_EQ(Tagged("binary", "aGVsbG8=="), "error");
  EXPECT_EQ(Tagged("binary", "aGVs bG8="), "error");
  EXPECT_EQ(Tagged("binary", "===="), "error");
}

TEST(YamlTimestamp, OnlyRealDaysInTheFormsThatAreAllowed) {
  for (const char* text :
       {"2026-01-02", "2026-1-2", "2024-02-29", "2026-01-02T15:04:05Z",
        "2026-01-02t1:2:3.123+01:00", "2026-01-02 15:04:05", "2026-01-02 15:04:05.5"}) {
    EXPECT_TRUE(IsTimestamp(text)) << text;
  }
  for (const char* text : {"", "2026", "2026-13-01", "2026-02-29", "2026-01-00", "26-01-02",
                           "2026-01-02T15:04:05", "2026-01-02 15:04:05Z", "2026-01-02T24:00:00Z",
                           "2026-01-02T15:04:05+1:00", "2026-01-02T"}) {
    EXPECT_FALSE(IsTimestamp(text)) << text;
  }
}

TEST(YamlBase60, ColonsBetweenDigitsMakeOne) {
  for (const char* text : {"1:20", "-12:30:45", "190:20:30.15", "1_0:0"}) {
    EXPECT_TRUE(IsBase60(text)) << text;
  }
  for (const char* text : {"", "12", ":20", "a:20", "1:a", "10.0.0.1:80"}) {
    EXPECT_FALSE(IsBase60(text)) << text;
  }
}

}  // namespace
}  // namespace berth::schema
