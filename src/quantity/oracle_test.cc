// Every case of shared/oracle/quantities.json: the answers of the Go libraries.

#include <simdjson.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "quantity/amount.h"
#include "quantity/json_token.h"
#include "quantity/quantity.h"
#include "quantity/resource_amount.h"

namespace berth::quantity {
namespace {

using Object = simdjson::dom::object;

std::string OraclePath() {
  const char* shared = std::getenv("BERTH_SHARED_DIR");
  const std::filesystem::path directory =
      shared != nullptr ? shared : BERTH_SOURCE_DIR "/../shared";
  return directory / "oracle" / "quantities.json";
}

std::string Text(Object object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}
bool Has(Object object, std::string_view key) {
  simdjson::dom::element element;
  return object[key].get(element) == simdjson::SUCCESS;
}
int64_t Number(Object object, std::string_view key) { return std::stoll(Text(object, key)); }
Object Member(Object object, std::string_view key) { return object[key].get_object().value(); }
bool Flag(Object object, std::string_view key) {
  return Has(object, key) && object[key].get_bool().value();
}

std::string Name(Format format) {
  switch (format) {
    case Format::kDecimalSI:
      return "DecimalSI";
    case Format::kBinarySI:
      return "BinarySI";
    case Format::kDecimalExponent:
      break;
  }
  return "DecimalExponent";
}

std::string Name(ParseError error) {
  switch (error) {
    case ParseError::kFormat:
      return "format";
    case ParseError::kSuffix:
      return "suffix";
    case ParseError::kNumeric:
      break;
  }
  return "numeric";
}

int Sign(std::partial_ordering order) { return (order > 0) - (order < 0); }

AmountFormatter Formatter() {
  AmountFormatter formatter;
  formatter.RegisterBinaryResource("example.com/bin");
  return formatter;
}

class QuantityOracle : public ::testing::Test {
 protected:
  void ForEach(std::string_view kind, const std::function<void(Object)>& check) {
    if (!std::filesystem::exists(OraclePath())) GTEST_SKIP() << "shared/oracle not found";
    simdjson::dom::parser parser;
    const simdjson::dom::element document = parser.load(OraclePath());
    int count = 0;
    for (const simdjson::dom::element element : document["cases"]) {
      if (Text(element.get_object().value(), "kind") != kind) continue;
      SCOPED_TRACE(simdjson::minify(element));
      check(element.get_object().value());
      ++count;
    }
    EXPECT_GT(count, 0);
  }
};

// The correct reading: the library's, where the number fits and the library is exact.
int64_t ExpectedReading(Object c, const Quantity& quantity, const char* exact, const char* overflow,
                        const char* reading) {
  using Limits = std::numeric_limits<int64_t>;
  if (Flag(c, overflow)) return quantity.Sign() < 0 ? Limits::min() : Limits::max();
  return Number(c, Has(c, exact) ? exact : reading);
}

void CheckKueueReading(std::string_view resource, Object expected, const Quantity& quantity) {
  SCOPED_TRACE(resource);
  const AmountFormatter formatter = Formatter();
  const int64_t request = RequestAmount(resource, quantity);
  EXPECT_EQ(std::to_string(request), Text(expected, "request"));
  EXPECT_EQ(formatter.RequestText(resource, request), Text(expected, "status"));
  const Amount quota = QuotaAmount(resource, quantity);
  EXPECT_EQ(ToString(quota), Text(expected, Has(expected, "quota") ? "quota" : "request"));
  EXPECT_EQ(formatter.QuotaText(resource, quota),
            Text(expected, Has(expected, "quotaText") ? "quotaText" : "status"));
}

void CheckParsed(Object c, const Quantity& quantity) {
  EXPECT_EQ(quantity.ToString(), Text(c, "canonical"));
  EXPECT_EQ(Name(quantity.format()), Text(c, "format"));
  EXPECT_EQ(quantity.Sign(), c["sign"].get_int64().value());
  EXPECT_EQ(quantity.Value(), ExpectedReading(c, quantity, "valueExact", "valueOverflow", "value"));
  EXPECT_EQ(quantity.MilliValue(),
            ExpectedReading(c, quantity, "milliExact", "milliOverflow", "milliValue"));

  const Quantity with = Quantity::Parse(Text(Member(c, "cmp"), "with")).value();
  EXPECT_EQ(Sign(quantity <=> with), Member(c, "cmp")["result"].get_int64().value());
  Quantity sum = quantity;
  sum.Add(with);
  EXPECT_EQ(sum.ToString(), Text(c, "plus"));
  Quantity difference = quantity;
  difference.Sub(with);
  EXPECT_EQ(difference.ToString(), Text(c, "minus"));
}

TEST_F(QuantityOracle, ParseReadsPrintsComparesAndAdds) {
  ForEach("parse", [](Object c) {
    const auto quantity = Quantity::Parse(Text(c, "in"));
    ASSERT_EQ(quantity.has_value(), Flag(c, "ok"));
    if (!quantity) {
      EXPECT_EQ(Name(quantity.error()), Text(c, "error"));
      return;
    }
    CheckParsed(c, *quantity);
  });
}

TEST_F(QuantityOracle, AmountsFollowKueue) {
  ForEach("parse", [](Object c) {
    // Where the library misreads a negative number, Kueue's amount inherits the error; ours does
    // not.
    const bool misread = Has(c, "valueExact") || Has(c, "milliExact");
    if (!Flag(c, "ok") || misread) return;
    const Quantity quantity = Quantity::Parse(Text(c, "in")).value();
    for (const auto& [resource, expected] : Member(c, "kueue")) {
      // Likewise, a quota has no guard against negative numbers that do not fit.
      const bool is_wrapped = quantity.Sign() < 0 && Has(expected.get_object(), "quota");
      if (!is_wrapped) CheckKueueReading(resource, expected.get_object(), quantity);
    }
  });
}

TEST_F(QuantityOracle, JsonTokens) {
  ForEach("json", [](Object c) {
    const auto quantity = ParseJsonToken(Text(c, "raw"));
    ASSERT_EQ(quantity.has_value(), Flag(c, "ok"));
    if (!quantity) return;
    EXPECT_EQ(quantity->ToString(), Text(c, "canonical"));
    EXPECT_EQ("\"" + quantity->ToString() + "\"", Text(c, "marshalled"));
  });
}

TEST_F(QuantityOracle, AmountTexts) {
  ForEach("format", [](Object c) {
    const int64_t amount = Number(c, "amount");
    for (const auto& [resource, text] : Member(c, "text")) {
      EXPECT_EQ(Formatter().RequestText(resource, amount), text.get_string().value()) << resource;
      const Object quota_texts = Member(c, Has(c, "quotaText") ? "quotaText" : "text");
      EXPECT_EQ(Formatter().QuotaText(resource, Amount(amount)), Text(quota_texts, resource));
    }
  });
}

TEST_F(QuantityOracle, QuotaArithmetic) {
  ForEach("amountArith", [](Object c) {
    const Amount a(Number(c, "a")), b(Number(c, "b"));
    EXPECT_EQ(ToString(a + b), Text(c, "add"));
    EXPECT_EQ(ToString(a - b), Text(c, "sub"));
    EXPECT_EQ(ToString(a + b.value()), Text(c, "addInt64"));
    EXPECT_EQ(ToString(a - b.value()), Text(c, "subInt64"));
    EXPECT_EQ(ToString(Min(a, b)), Text(c, "min"));
    EXPECT_EQ(ToString(Max(a, b)), Text(c, "max"));
    EXPECT_EQ(Sign(a <=> b), c["cmp"].get_int64().value());
    EXPECT_EQ(Sign(a <=> b.value()), c["cmpInt64"].get_int64().value());
  });
}

TEST_F(QuantityOracle, RequestArithmetic) {
  ForEach("requestArith", [](Object c) {
    const int64_t a = Number(c, "a"), b = Number(c, "b");
    EXPECT_EQ(SaturatingAdd(a, b), Number(c, "add"));
    EXPECT_EQ(SaturatingSub(a, b), Number(c, "sub"));
    EXPECT_EQ(SaturatingMul(a, b), Number(c, "mul"));
    if (Has(c, "div")) {
      EXPECT_EQ(SaturatingDiv(a, b), Number(c, "div"));
    }
  });
}

}  // namespace
}  // namespace berth::quantity
