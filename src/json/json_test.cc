#include "json/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::json {
namespace {

using ::testing::ElementsAre;

std::string RoundTrip(std::string_view text) {
  const auto parsed = Parse(text);
  return parsed ? Print(*parsed) : "error: " + base::ToString(parsed.error());
}

TEST(JsonTree, KeepsIntegersExactly) {
  EXPECT_EQ(RoundTrip("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(RoundTrip("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(RoundTrip("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(RoundTrip("-0"), "0");
}

TEST(JsonTree, PrintsDoublesAsAnApiServerDoes) {
  EXPECT_EQ(RoundTrip("1.1"), "1.1");
  EXPECT_EQ(RoundTrip("1.0"), "1");
  EXPECT_EQ(RoundTrip("1e3"), "1000");
  EXPECT_EQ(RoundTrip("1E20"), "100000000000000000000");
  EXPECT_EQ(RoundTrip("1e21"), "1e+21");
  EXPECT_EQ(RoundTrip("0.000001"), "0.000001");
  EXPECT_EQ(RoundTrip("0.0000001"), "1e-7");
  EXPECT_EQ(RoundTrip("-2.5e-300"), "-2.5e-300");
  EXPECT_EQ(RoundTrip("18446744073709551616"), "18446744073709552000");
}

TEST(JsonTree, ReadsDoublesToTheLastBit) {
  EXPECT_EQ(RoundTrip("2.2250738585072011e-308"), "2.225073858507201e-308");
  EXPECT_EQ(RoundTrip("9007199254740993.0"), "9007199254740992");
  EXPECT_EQ(RoundTrip("1.7976931348623157e308"), "1.7976931348623157e+308");
  EXPECT_EQ(RoundTrip("1e-999"), "0");
  EXPECT_FALSE(Parse("1e999"));
}

TEST(JsonTree, KeepsTheOrderOfMembersAndEscapesWhatJsonDemands) {
  EXPECT_EQ(RoundTrip(R"( {"z":1, "a":[true,null,"x\"\\\n\u0001ü<"]} )"),
            R"({"z":1,"a":[true,null,"x\"\\\n\u0001ü<"]})");
}

TEST(JsonTree, KeepsTheLastDuplicateKeyAndReportsDuplicates) {
  std::vector<std::string> duplicates;
  const auto parsed = Parse(R"({"a":1,"b":[{},{"c":1,"c":{"d":2},"c":3}],"a":{"e":0,"e":0}})",
                            {.duplicates = &duplicates});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->at("a").at("e"), 0);
  EXPECT_EQ(parsed->at("b").at(1).at("c"), 3);
  EXPECT_THAT(duplicates, ElementsAre("b[1].c", "b[1].c", "a", "a.e"));
}

TEST(JsonTree, RejectsInvalidJson) {
  for (const std::string_view bad :
       {"", " ", "{", "[1,]", "{\"a\":}", "nul", "1 2", "'a'", "\"\xff\"", "01", "+1", "{a:1}"}) {
    EXPECT_FALSE(Parse(bad)) << bad;
  }
}

TEST(JsonTree, ReportsThePositionOfErrors) {
  const auto parsed = Parse("{\n  \"a\": x}");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().place.line, 2);
  EXPECT_EQ(parsed.error().place.column, 8);
}

TEST(JsonTree, BoundsTheDepth) {
  EXPECT_TRUE(Parse(std::string(256, '[') + std::string(256, ']')));
  const auto parsed = Parse(std::string(100'000, '['));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message, "objects and lists nest too deep here");
}

TEST(JsonTree, FindsByPath) {
  const auto tree = Parse(R"({"metadata":{"name":"n","labels":null}})");
  ASSERT_TRUE(tree);
  EXPECT_EQ(StringAt(*tree, {"metadata", "name"}), "n");
  EXPECT_EQ(StringAt(*tree, {"metadata", "labels"}), "");
  EXPECT_NE(Find(*tree, {"metadata", "labels"}), nullptr);
  EXPECT_EQ(Find(*tree, {"metadata", "name", "x"}), nullptr);
  EXPECT_EQ(Find(*tree, {}), &*tree);
}

}  // namespace
}  // namespace berth::json
