#include "quantity/decimal.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace berth::quantity {
namespace {

Decimal D(int64_t value, int64_t exponent = 0) { return Decimal::FromInt(value, exponent); }

TEST(DecimalNumber, HasOneFormForEachValue) {
  EXPECT_EQ(D(1200), D(12, 2));
  EXPECT_EQ(D(1200).digits(), "12");
  EXPECT_EQ(D(0, 7), Decimal());
  EXPECT_EQ(*Decimal::FromDigits(true, "0012", "3400", -4), D(-1234, -2));
  EXPECT_EQ(*Decimal::FromDigits(true, "00", "000", 5), Decimal());
  EXPECT_EQ(*Decimal::FromDigits(false, "", "0050", -4), D(5, -3));
}

TEST(DecimalNumber, OrdersBySignMagnitudeAndDigits) {
  EXPECT_LT(D(-3), D(2));
  EXPECT_LT(D(-30), D(-3));
  EXPECT_LT(D(3), D(30));
  EXPECT_LT(D(123), D(124));
  EXPECT_LT(D(12, 1), D(121));
  EXPECT_LT(Decimal(), D(1, -100));
  EXPECT_LT(D(-1, -100), Decimal());
}

TEST(DecimalNumber, AddsAcrossExponentsAndSigns) {
  EXPECT_EQ(D(999) + D(1), D(1000));
  EXPECT_EQ(D(1, 30) + D(-1, 30), Decimal());
  EXPECT_EQ(D(1, 3) + D(-1), D(999));
  EXPECT_EQ(D(1) + D(-1, 3), D(-999));
  EXPECT_EQ(D(-5, -2) + D(-5, 2), D(-50005, -2));
}

TEST(DecimalNumber, Multiplies) {
  EXPECT_EQ(D(-99, 3) * D(99, -5), D(-9801, -2));
  EXPECT_EQ(D(7) * Decimal(), Decimal());
}

TEST(DecimalNumber, RoundsAwayFromZero) {
  EXPECT_EQ(D(1234).RoundedAwayFromZero(2), D(1300));
  EXPECT_EQ(D(-1234).RoundedAwayFromZero(2), D(-1300));
  EXPECT_EQ(D(999).RoundedAwayFromZero(2), D(1000));
  EXPECT_EQ(D(1).RoundedAwayFromZero(50), D(1, 50));
  EXPECT_EQ(D(1200).RoundedAwayFromZero(2), D(1200));
}

TEST(DecimalNumber, ReadsAsInt64WithinItsLimits) {
  using Limits = std::numeric_limits<int64_t>;
  EXPECT_EQ(D(Limits::min()).DigitsAsInt64(), Limits::min());
  EXPECT_EQ((D(Limits::max()) + D(1)).DigitsAsInt64(), std::nullopt);
  EXPECT_EQ(D(15, -1).SaturatingInt64(0), 2);
  EXPECT_EQ(D(15, -1).SaturatingInt64(-3), 1500);
  EXPECT_EQ((D(Limits::max()) + D(1)).SaturatingInt64(0), Limits::max());
  EXPECT_EQ(D(-1, 1'000'000'000).SaturatingInt64(0), Limits::min());
}

TEST(DecimalBounds, DigitsBeyondTheLimitAreRoundedAwayFromZero) {
  const auto kept = static_cast<int64_t>(Decimal::kMaxDigits);
  const Decimal sum = D(1, kept) + D(1, -kept);
  EXPECT_EQ(sum, D(1, kept) + D(1, 1));
  EXPECT_EQ(sum.digits().size(), Decimal::kMaxDigits);
  const Decimal nines = *Decimal::FromDigits(false, std::string(Decimal::kMaxDigits, '9'), "", 0);
  EXPECT_EQ(nines + D(1, -1), D(1, kept));
  EXPECT_LE((nines * nines).digits().size(), Decimal::kMaxDigits);
}

TEST(DecimalBounds, LongerTextsAreRejected) {
  const std::string longest(Decimal::kMaxDigits, '9');
  EXPECT_TRUE(Decimal::FromDigits(false, "000" + longest, "000", 0).has_value());
  EXPECT_FALSE(Decimal::FromDigits(false, longest, "9", 0).has_value());
}

}  // namespace
}  // namespace berth::quantity
