#include "quantity/amount.h"

#include <limits>

#include "gtest/gtest.h"

namespace berth::quantity {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr Amount kUnlimited = Amount::Unlimited();

TEST(QuotaArithmetic, AddsAndSubtractsBoundedAmounts) {
  EXPECT_EQ(Amount(7) + Amount(-3), Amount(4));
  EXPECT_EQ(Amount(7) - Amount(10), Amount(-3));
  EXPECT_EQ(Amount(7) + 5, Amount(12));
  EXPECT_EQ(Amount(7) - 5, Amount(2));
}

TEST(QuotaArithmetic, UnlimitedIsSticky) {
  EXPECT_EQ(kUnlimited + Amount(-5), kUnlimited);
  EXPECT_EQ(Amount(-5) + kUnlimited, kUnlimited);
  EXPECT_EQ(Amount::Lowest() + kUnlimited, kUnlimited);
  EXPECT_EQ(kUnlimited - Amount(5), kUnlimited);
  EXPECT_EQ(kUnlimited + kMin, kUnlimited);
  EXPECT_EQ(kUnlimited - kMax, kUnlimited);
}

TEST(QuotaArithmetic, SubtractingUnlimitedLeavesNothing) {
  EXPECT_EQ(kUnlimited - kUnlimited, Amount(0));
  EXPECT_EQ(Amount(5) - kUnlimited, Amount::Lowest());
  EXPECT_EQ(Amount(-5) - kUnlimited, Amount::Lowest());
}

TEST(QuotaArithmetic, SaturatesInsteadOfWrapping) {
  EXPECT_EQ(Amount(kMax - 1) + Amount(2), kUnlimited);
  EXPECT_EQ(Amount(5) - Amount(kMin), kUnlimited);
  EXPECT_EQ(Amount::Lowest() - Amount(1), Amount::Lowest());
  EXPECT_EQ(Amount::Lowest() + Amount(-1), Amount::Lowest());
}

TEST(QuotaArithmetic, TheLargestUsageIsANumber) {
  EXPECT_EQ(Amount(0) - kMax, Amount(-kMax));
  EXPECT_GT(kUnlimited, kMax);
  EXPECT_NE(kUnlimited, kMax);
  EXPECT_LT(Amount(kMax - 1), kMax);
}

TEST(QuotaArithmetic, CompoundAssignmentDoesTheSame) {
  Amount amount(1);
  amount += Amount(2);
  amount -= 7;
  EXPECT_EQ(amount, Amount(-4));
  EXPECT_EQ(amount += kUnlimited, kUnlimited);
  EXPECT_EQ(amount -= kUnlimited, Amount());
}

TEST(QuotaOrder, UnlimitedIsGreatest) {
  EXPECT_LT(Amount(kMax - 1), kUnlimited);
  EXPECT_EQ(Min(Amount(3), kUnlimited), Amount(3));
  EXPECT_EQ(Max(Amount(3), kUnlimited), kUnlimited);
  EXPECT_EQ(Min(Amount(-3), Amount(3)), Amount(-3));
  EXPECT_EQ(Max(Amount(-3), Amount(3)), Amount(3));
}

TEST(QuotaText, NamesUnlimited) {
  EXPECT_EQ(ToString(kUnlimited), "<unlimited>");
  EXPECT_EQ(ToString(Amount(-12)), "-12");
}

TEST(RequestArithmetic, StopsAtTheLimitsOfInt64) {
  EXPECT_EQ(SaturatingAdd(kMax, 1), kMax);
  EXPECT_EQ(SaturatingAdd(kMin, -1), kMin);
  EXPECT_EQ(SaturatingAdd(kMax, -1), kMax - 1);
  EXPECT_EQ(SaturatingSub(kMin, 1), kMin);
  EXPECT_EQ(SaturatingSub(0, kMin), kMax);
  EXPECT_EQ(SaturatingSub(kMax, kMax), 0);
  EXPECT_EQ(SaturatingMul(kMax, 2), kMax);
  EXPECT_EQ(SaturatingMul(kMax, -2), kMin);
  EXPECT_EQ(SaturatingMul(kMin, -1), kMax);
  EXPECT_EQ(SaturatingMul(kMin, 0), 0);
}

TEST(RequestArithmetic, DivisionCutsTowardZeroAndNeverFaults) {
  EXPECT_EQ(SaturatingDiv(7, 2), 3);
  EXPECT_EQ(SaturatingDiv(-7, 2), -3);
  EXPECT_EQ(SaturatingDiv(0, 0), 0);
  EXPECT_EQ(SaturatingDiv(7, 0), 7);
  EXPECT_EQ(SaturatingDiv(kMin, -1), kMax);
}

}  // namespace
}  // namespace berth::quantity
