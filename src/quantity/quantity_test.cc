#include "quantity/quantity.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace berth::quantity {
namespace {

using Limits = std::numeric_limits<int64_t>;

Quantity Q(std::string_view text) {
  const auto quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity.has_value()) << text;
  return quantity.value_or(Quantity());
}

std::string Sum(std::string_view a, std::string_view b) {
  Quantity sum = Q(a);
  sum.Add(Q(b));
  return sum.ToString();
}

std::string Difference(std::string_view a, std::string_view b) {
  Quantity difference = Q(a);
  difference.Sub(Q(b));
  return difference.ToString();
}

struct TextCase {
  std::string_view in;
  std::string_view out;
};
void ExpectTexts(std::initializer_list<TextCase> cases) {
  for (const auto& [in, out] : cases) EXPECT_EQ(Q(in).ToString(), out) << in;
}

struct ErrorCase {
  std::string_view in;
  ParseError error;
};
void ExpectErrors(std::initializer_list<ErrorCase> cases) {
  for (const auto& [in, error] : cases) {
    const auto quantity = Quantity::Parse(in);
    ASSERT_FALSE(quantity.has_value()) << in;
    EXPECT_EQ(quantity.error(), error) << in;
  }
}

TEST(QuantityParse, AcceptsEverySuffix) {
  EXPECT_EQ(Q("3n"), Q("0.000000003"));
  EXPECT_EQ(Q("3u"), Q("0.000003"));
  EXPECT_EQ(Q("3m"), Q("0.003"));
  EXPECT_EQ(Q("3k"), Q("3000"));
  EXPECT_EQ(Q("3M"), Q("3000000"));
  EXPECT_EQ(Q("3G"), Q("3e9"));
  EXPECT_EQ(Q("3T"), Q("3e12"));
  EXPECT_EQ(Q("3P"), Q("3E+15"));
  EXPECT_EQ(Q("3E"), Q("0.3e19"));
  EXPECT_EQ(Q("3Ki"), Q("3072"));
  EXPECT_EQ(Q("3Mi"), Q("3072Ki"));
  EXPECT_EQ(Q("3Gi"), Q("3072Mi"));
  EXPECT_EQ(Q("3Ti"), Q("3072Gi"));
  EXPECT_EQ(Q("3Pi"), Q("3072Ti"));
  EXPECT_EQ(Q("3Ei"), Q("3072Pi"));
}

TEST(QuantityParse, RemembersTheStyle) {
  EXPECT_EQ(Q("12").format(), Format::kDecimalSI);
  EXPECT_EQ(Q("12m").format(), Format::kDecimalSI);
  EXPECT_EQ(Q("12E").format(), Format::kDecimalSI);
  EXPECT_EQ(Q("12Ki").format(), Format::kBinarySI);
  EXPECT_EQ(Q("12e0").format(), Format::kDecimalExponent);
  EXPECT_EQ(Q("12E2").format(), Format::kDecimalExponent);
}

TEST(QuantityParse, BinaryFractionsBelowOneTurnDecimal) {
  EXPECT_EQ(Q("0.0001Ki").format(), Format::kDecimalSI);
  EXPECT_EQ(Q("-0.0009Ki").format(), Format::kDecimalSI);
  EXPECT_EQ(Q("0.001Ki").format(), Format::kBinarySI);
}

TEST(QuantityParse, MissingDigitsReadAsZero) {
  for (const char* text : {"-", "+", ".", "-.", "m", "E", "Ki", ".Ti", "e5", "e-9"})
    EXPECT_TRUE(Q(text).IsZero()) << text;
}

TEST(QuantityParse, MissingDigitsAreAnErrorBeforeLargeBinaryAndTinySuffixes) {
  ExpectErrors({{"Pi", ParseError::kNumeric},
                {"-Ei", ParseError::kNumeric},
                {".Ei", ParseError::kNumeric},
                {"e-10", ParseError::kNumeric}});
  EXPECT_TRUE(Q("0Ei").IsZero());
  EXPECT_TRUE(Q("0e-10").IsZero());
}

TEST(QuantityParse, RejectsOtherFormats) {
  ExpectErrors({{"", ParseError::kFormat},
                {" 4", ParseError::kFormat},
                {"4 Mi", ParseError::kFormat},
                {"4GB", ParseError::kFormat},
                {"4g", ParseError::kFormat},
                {"4,5", ParseError::kFormat},
                {"4.5.6", ParseError::kFormat},
                {"4e3.5", ParseError::kFormat},
                {"4e+-3", ParseError::kFormat},
                {"0x4", ParseError::kFormat},
                {std::string_view("4\0", 2), ParseError::kFormat},
                {"\xc3\xa9", ParseError::kFormat}});
}

TEST(QuantityParse, RejectsSuffixesThatDoNotExist) {
  ExpectErrors({{"4K", ParseError::kSuffix},
                {"4ki", ParseError::kSuffix},
                {"4i", ParseError::kSuffix},
                {"4Kii", ParseError::kSuffix},
                {"4e", ParseError::kSuffix},
                {"4e-", ParseError::kSuffix},
                {"4ee2", ParseError::kSuffix},
                {"4-2", ParseError::kSuffix},
                {"+-4", ParseError::kSuffix}});
}

TEST(QuantityParse, ExponentsAreCutTo32Bits) {
  EXPECT_EQ(Q("7e4294967296"), Q("7"));
  EXPECT_EQ(Q("7e-4294967294"), Q("700"));
  EXPECT_EQ(Q("7e4294967295"), Q("700m"));
  ExpectErrors({{"7e9223372036854775808", ParseError::kSuffix}});
}

TEST(QuantityParse, RoundsAwayFromZeroBelowNano) {
  ExpectTexts({{"0.0000000021", "3n"},
               {"-0.0000000021", "-3n"},
               {"0.5n", "1n"},
               {"1e-40", "1e-9"},
               {"-1e-40", "-1e-9"},
               {"1.0000000000000000000001", "1000000001n"},
               {"0.00000000000001Gi", "10738n"}});
}

TEST(QuantityParse, BinaryNumbersStopAtInt64DecimalOnesDoNot) {
  EXPECT_EQ(Q("8Ei"), Quantity::FromInt(Limits::max()));
  EXPECT_EQ(Q("-8Ei"), Quantity::FromInt(-Limits::max()));
  EXPECT_EQ(Q("123456789012345678901234Ki"), Quantity::FromInt(Limits::max()));
  EXPECT_EQ(Q("-99999.9Ei"), Quantity::FromInt(-Limits::max()));
  EXPECT_GT(Q("10E"), Quantity::FromInt(Limits::max()));
  EXPECT_GT(Q("1e100"), Q("1e99"));
}

TEST(QuantityText, CanonicalFormHasNoFractionAndTheLargestSuffix) {
  ExpectTexts({{"0.25", "250m"},
               {"2.50", "2500m"},
               {"4000", "4k"},
               {"40000m", "40"},
               {"1.5G", "1500M"},
               {"2048Ki", "2Mi"},
               {"1.5Gi", "1536Mi"},
               {"0.5Ki", "512"},
               {"1.1Ki", "1126400m"},
               {"50e5", "5e6"},
               {"0.001e3", "1"},
               {"12345678901234567890k", "12345678901234567890k"},
               {"1234567890123456789000", "1234567890123456789k"}});
}

TEST(QuantityText, ZeroIsPlain) {
  ExpectTexts({{"0", "0"}, {"-0", "0"}, {"000", "0"}, {"0Ki", "0"}, {"0.0e7", "0"}});
}

TEST(QuantityText, ShortTextsAreKeptAsWritten) {
  ExpectTexts({{"+3", "+3"},
               {"0012m", "0012m"},
               {"9.", "9."},
               {"2E6", "2E6"},
               {"2e+06", "2e+06"},
               {"2e0", "2e0"},
               {"3.125", "3.125"},
               {"3.125G", "3.125G"},
               {"-7.250k", "-7.250k"},
               {"+9Mi", "+9Mi"},
               {"7e4294967296", "7e4294967296"}});
}

TEST(QuantityText, OthersAreRewritten) {
  ExpectTexts({{"+5000", "5k"},
               {"+3.25", "3250m"},
               {"0.125", "125m"},
               {"2e1", "20"},
               {"+8Mi", "8Mi"},
               {"+9Pi", "9Pi"},
               {"+1234567890123456789", "1234567890123456789"}});
}

TEST(QuantityText, DecimalSIHasNoNameAboveExa) {
  EXPECT_EQ(Q("3000E").ToString(), "3");
  EXPECT_EQ(Q("3001E").ToString(), "3001E");
  EXPECT_EQ(Q("3000E").Value(), Limits::max());
}

TEST(QuantityText, BinaryNumbersBeyondExbiKeepTheirSuffix) {
  Quantity sum = Q("4Ei");
  for (int i = 0; i < 10; ++i) sum.Add(sum);
  EXPECT_EQ(sum.ToString(), "4096Ei");
}

TEST(QuantityCompare, IsByValueAcrossStyles) {
  EXPECT_EQ(Q("1Ki"), Q("1024"));
  EXPECT_EQ(Q("1000m"), Q("1e0"));
  EXPECT_LT(Q("1k"), Q("1Ki"));
  EXPECT_LT(Q("-2"), Q("-1500m"));
  EXPECT_GT(Q("1n"), Q("0"));
  EXPECT_LT(Q("-1e30"), Q("-1"));
  EXPECT_GT(Q("1e36"), Q("999999999999999999E"));
  EXPECT_EQ(Q("1e30"), Q("1000000000000E"));
  EXPECT_LT(Q("99999999999999999999n"), Q("99999999999999999999u"));
  EXPECT_EQ(Q("0Ki"), Q("0e9"));
}

TEST(QuantityCompare, IdenticalMeansTheSameText) {
  EXPECT_TRUE(IsIdentical(Q("1Gi"), Q("1Gi")));
  EXPECT_TRUE(IsIdentical(Q("1024Mi"), Q("1Gi")));
  EXPECT_FALSE(IsIdentical(Q("1024"), Q("1Ki")));
  EXPECT_FALSE(IsIdentical(Q("+1"), Q("1")));
  EXPECT_TRUE(IsIdentical(Q("+1"), Q("+1")));
}

TEST(QuantitySum, KeepsTheStyleOfTheFirst) {
  EXPECT_EQ(Sum("1Gi", "512Mi"), "1536Mi");
  EXPECT_EQ(Sum("1Gi", "1"), "1073741825");
  EXPECT_EQ(Sum("1500m", "500m"), "2");
  EXPECT_EQ(Sum("5e3", "1Ki"), "6024");
  EXPECT_EQ(Difference("2Ki", "1k"), "1048");
  EXPECT_EQ(Difference("1", "1n"), "999999999n");
}

TEST(QuantitySum, ZeroTakesTheStyleOfTheOther) {
  EXPECT_EQ(Sum("0", "2Ki"), "2Ki");
  EXPECT_EQ(Difference("0", "2Ki"), "-2Ki");
  EXPECT_EQ(Sum("0Ki", "2e3"), "2e3");
  EXPECT_EQ(Sum("2Ki", "0"), "2Ki");
}

TEST(QuantitySum, ForgetsTheTextAsWritten) {
  EXPECT_EQ(Sum("+3", "0"), "3");
  EXPECT_EQ(Difference("007", "0"), "7");
}

TEST(QuantitySum, IsExactBeyondInt64) {
  EXPECT_EQ(Sum("9223372036854775807", "1"), "9223372036854775808");
  EXPECT_EQ(Difference("-9223372036854775808", "1"), "-9223372036854775809");
  EXPECT_EQ(Sum("1e30", "1n"), "1000000000000000000000000000000000000001e-9");
  EXPECT_EQ(Difference("1e40", "1e40"), "0");
  EXPECT_EQ(Sum("99999999999999999999", "-99999999999999999998"), "1");
}

TEST(QuantityProduct, IsExactAndKeepsTheStyle) {
  Quantity product = Q("1500m");
  product.Multiply(Q("3Gi"));
  EXPECT_EQ(product.ToString(), "4831838208");
  product = Q("2Ki");
  product.Multiply(Q("-4k"));
  EXPECT_EQ(product.ToString(), "-8000Ki");
  product = Q("123456789012");
  product.Multiply(Q("123456789012"));
  EXPECT_EQ(product.ToString(), "15241578753153483936144");
}

TEST(QuantityProduct, BelowNanoRoundsOnlyInText) {
  Quantity product = Q("1n");
  product.Multiply(Q("1n"));
  EXPECT_EQ(product.ToString(), "1n");
  EXPECT_LT(product, Q("1n"));
  EXPECT_EQ(product.Value(), 1);
  product.Negate();
  EXPECT_EQ(product.ToString(), "-1n");
  EXPECT_EQ(product.MilliValue(), -1);
}

struct ReadingCase {
  std::string_view in;
  int64_t value;
  int64_t milli_value;
};

TEST(QuantityReading, RoundsAwayFromZero) {
  for (const auto& [in, value, milli_value] : std::initializer_list<ReadingCase>{
           {"0", 0, 0},
           {"1n", 1, 1},
           {"-1n", -1, -1},
           {"1500m", 2, 1500},
           {"-1500m", -2, -1500},
           {"1000001u", 2, 1001},
           {"2Ki", 2048, 2048000},
           {"-0.0000000001", -1, -1},
           {"-12345678901234567890n", -12345678902, -12345678901235},
       }) {
    EXPECT_EQ(Q(in).Value(), value) << in;
    EXPECT_EQ(Q(in).MilliValue(), milli_value) << in;
  }
}

TEST(QuantityReading, StopsAtTheLimitsOfInt64) {
  EXPECT_EQ(Q("9223372036854775807").Value(), Limits::max());
  EXPECT_EQ(Q("9223372036854775808").Value(), Limits::max());
  EXPECT_EQ(Q("-9223372036854775808").Value(), Limits::min());
  EXPECT_EQ(Q("-9223372036854775809").Value(), Limits::min());
  EXPECT_EQ(Q("10P").MilliValue(), Limits::max());
  EXPECT_EQ(Q("-10P").MilliValue(), Limits::min());
  EXPECT_EQ(Q("1e2147483647").Value(), Limits::max());
  EXPECT_EQ(Q("-12345678901234567890e99").MilliValue(), Limits::min());
}

TEST(QuantityReading, ExactIntIsSetForIntegersThatFit) {
  EXPECT_EQ(Q("1.5Ki").ExactInt(), 1536);
  EXPECT_EQ(Q("-9223372036854775808").ExactInt(), Limits::min());
  EXPECT_EQ(Q("1500m").ExactInt(), std::nullopt);
  EXPECT_EQ(Q("9223372036854775808").ExactInt(), std::nullopt);
}

TEST(QuantityReading, DoublesAreNear) {
  EXPECT_DOUBLE_EQ(Q("1500m").ToDouble(), 1.5);
  EXPECT_DOUBLE_EQ(Q("-2Gi").ToDouble(), -2147483648.0);
  EXPECT_DOUBLE_EQ(Q("12345678901234567890123").ToDouble(), 12345678901234567890123.0);
  EXPECT_DOUBLE_EQ(Q("-3e40").ToDouble(), -3e40);
}

TEST(QuantityValue, IsMadeFromIntegersAtCompileTime) {
  constexpr Quantity kCores = Quantity::FromMilli(2500);
  static_assert(sizeof(kCores) <= 24);
  EXPECT_EQ(kCores.ToString(), "2500m");
  EXPECT_EQ(Quantity::FromInt(3 << 20, Format::kBinarySI).ToString(), "3Mi");
  EXPECT_EQ(Quantity::FromInt(Limits::min()).ToString(), "-9223372036854775808");
  EXPECT_TRUE(Quantity().IsZero());
}

TEST(QuantityValue, CopiesOwnTheirNumberAndText) {
  Quantity large = Q("123456789012345678901234"), written = Q("+1");
  const Quantity large_copy = large, written_copy = written;
  large.Add(Q("1"));
  written = std::move(large);
  EXPECT_EQ(large_copy.ToString(), "123456789012345678901234");
  EXPECT_EQ(written_copy.ToString(), "+1");
  EXPECT_EQ(written.ToString(), "123456789012345678901235");
  written = written_copy;
  EXPECT_EQ(written.ToString(), "+1");
}

TEST(QuantityValue, NegationTurnsTheSign) {
  for (const char* text : {"5", "-5", "1e30", "-9223372036854775808"}) {
    Quantity negated = Q(text);
    negated.Negate();
    EXPECT_EQ(negated.Sign(), -Q(text).Sign());
    negated.Add(Q(text));
    EXPECT_TRUE(negated.IsZero());
  }
}

// Every text parses in bounded time: exactly within Decimal::kMaxDigits digits, otherwise with an
// error (texts) or rounded away from zero to that many digits (sums).
TEST(QuantityBounds, HugeExponentsAreExact) {
  EXPECT_EQ(Q("1e2147483647").ToString(), "10e2147483646");
  EXPECT_EQ(Q("1.5e-2147483648").ToString(), "1e-9");
  EXPECT_GT(Q("1e2147483647"), Q("9e2147483646"));
  EXPECT_EQ(Q("1e2147483647"), Q("10e2147483646"));
  EXPECT_EQ(Difference("1e2147483647", "1e2147483647"), "0");
  EXPECT_EQ(Sum("5e2147483647", "5e2147483647"), "100e2147483646");
}

TEST(QuantityBounds, SumsOfFarApartNumbersKeepTheirLeadingDigits) {
  const Quantity large = Q("1e2147483646");
  Quantity sum = large;
  sum.Add(Q("1n"));
  EXPECT_GT(sum, large);
  EXPECT_EQ(Q(sum.ToString()), sum);
  Quantity difference = large;
  difference.Sub(Q("1n"));
  EXPECT_LE(difference, large);
  EXPECT_GT(difference, Q("9e2147483645"));
  Quantity binary = Q("1Ki");
  binary.Add(large);
  EXPECT_EQ(Q(binary.ToString()), binary);
}

TEST(QuantityBounds, TooManyDigitsAreAnError) {
  const std::string longest(Decimal::kMaxDigits, '7');
  EXPECT_EQ(Q(longest).ToString(), longest);
  ExpectErrors(
      {{longest + "7", ParseError::kNumeric}, {"0." + longest + "7", ParseError::kNumeric}});
}

TEST(QuantityBounds, ZerosAreNotCounted) {
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(Q(zeros + "12").Value(), 12);
  EXPECT_EQ(Q("12." + zeros).Value(), 12);
  EXPECT_EQ(Q("0." + zeros + "1").ToString(), "1n");
  EXPECT_EQ(Q("1" + zeros), Q("1e1000000"));
  EXPECT_EQ(Q("1" + zeros + "Ki").Value(), Limits::max());
}

}  // namespace
}  // namespace berth::quantity
