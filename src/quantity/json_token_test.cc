#include "quantity/json_token.h"

#include <initializer_list>
#include <string_view>

#include "gtest/gtest.h"

namespace berth::quantity {
namespace {

struct Case {
  std::string_view token;
  std::string_view text;
};

void ExpectTexts(std::initializer_list<Case> cases) {
  for (const auto& [token, text] : cases) {
    const auto quantity = ParseJsonToken(token);
    ASSERT_TRUE(quantity.has_value()) << token;
    EXPECT_EQ(quantity->ToString(), text) << token;
  }
}

void ExpectErrors(std::initializer_list<std::string_view> tokens) {
  for (const std::string_view token : tokens)
    EXPECT_FALSE(ParseJsonToken(token).has_value()) << token;
}

TEST(QuantityInJson, NumbersAreReadByTheirDigits) {
  ExpectTexts({{"3", "3"},
               {"-0.25", "-250m"},
               {"2e3", "2e3"},
               {"2E+3", "2E+3"},
               {"98765432109876543210", "98765432109876543210"}});
}

TEST(QuantityInJson, NullIsZero) { ExpectTexts({{"null", "0"}}); }

TEST(QuantityInJson, WhiteSpaceInsideQuotesIsTrimmed) {
  ExpectTexts({{"\" 3Gi\"", "3Gi"}, {"\"3Gi  \"", "3Gi"}, {"\"\u00a03Gi\u3000\"", "3Gi"}});
}

TEST(QuantityInJson, EscapesAreNotDecoded) {
  ExpectErrors({R"("\t3")", R"("3\n")", R"("\u0033")"});
}

TEST(QuantityInJson, OtherValuesAreErrors) {
  ExpectErrors({"true", "[]", "{}", "\"\"", "\" \"", "\"null\"", "\"3 Gi\"", "", "\""});
}

TEST(QuantityInJson, BareTextMustBeAJsonNumber) {
  ExpectErrors({"3Gi", "100m", "+3", "03", ".5", "5.", "-", "1e", "1e+", "0x1", "- 1"});
}

}  // namespace
}  // namespace berth::quantity
