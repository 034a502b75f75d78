#include "quantity/resource_amount.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace berth::quantity {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Quantity Q(std::string_view text) { return Quantity::Parse(text).value(); }

TEST(RequestAmounts, CpuIsInMilliOthersInUnits) {
  EXPECT_EQ(RequestAmount("cpu", Q("1.5")), 1500);
  EXPECT_EQ(RequestAmount("cpu", Q("100u")), 1);
  EXPECT_EQ(RequestAmount("memory", Q("1.5")), 2);
  EXPECT_EQ(RequestAmount("example.com/gpu", Q("3")), 3);
  EXPECT_EQ(RequestAmount("requests.cpu", Q("3")), 3);
}

TEST(RequestAmounts, StopAtTheLimitsOfInt64) {
  EXPECT_EQ(RequestAmount("cpu", Q("1E")), kMax);
  EXPECT_EQ(RequestAmount("cpu", Q("-1E")), kMin);
  EXPECT_EQ(RequestAmount("memory", Q("1e40")), kMax);
  EXPECT_EQ(RequestAmount("memory", Q("-1e40")), kMin);
}

TEST(QuotaAmounts, CpuIsUnlimitedBeforeItsMilliOverflow) {
  EXPECT_EQ(QuotaAmount("cpu", Q("9223372036854774")), Amount(9223372036854774000));
  EXPECT_EQ(QuotaAmount("cpu", Q("9223372036854774999m")), Amount(9223372036854774999));
  EXPECT_EQ(QuotaAmount("cpu", Q("9223372036854775")), Amount::Unlimited());
  EXPECT_EQ(QuotaAmount("cpu", Q("2E")), Amount::Unlimited());
}

TEST(QuotaAmounts, OthersAreUnlimitedFromTheLargestInt64) {
  EXPECT_EQ(QuotaAmount("memory", Q("9223372036854775806")), Amount(kMax - 1));
  EXPECT_EQ(QuotaAmount("memory", Q("9223372036854775807")), Amount::Unlimited());
  EXPECT_EQ(QuotaAmount("memory", Q("8Ei")), Amount::Unlimited());
  EXPECT_EQ(QuotaAmount("pods", Q("1e99")), Amount::Unlimited());
}

TEST(QuotaAmounts, NegativeOnesSaturate) {
  EXPECT_EQ(QuotaAmount("cpu", Q("-1E")), Amount::Lowest());
  EXPECT_EQ(QuotaAmount("memory", Q("-1e40")), Amount::Lowest());
}

TEST(AmountTexts, CpuPrintsInMilli) {
  const AmountFormatter formatter;
  EXPECT_EQ(formatter.RequestText("cpu", 1500), "1500m");
  EXPECT_EQ(formatter.RequestText("cpu", 2000), "2");
  EXPECT_EQ(formatter.RequestText("cpu", 5000000), "5k");
}

TEST(AmountTexts, ByteResourcesPrintInBinaryWhereDivisible) {
  const AmountFormatter formatter;
  for (const char* resource : {"memory", "ephemeral-storage", "hugepages-1Gi"}) {
    EXPECT_EQ(formatter.RequestText(resource, 3 << 20), "3Mi");
    EXPECT_EQ(formatter.RequestText(resource, -2048), "-2Ki");
    EXPECT_EQ(formatter.RequestText(resource, 2049), "2049");
    EXPECT_EQ(formatter.RequestText(resource, 3000000), "3M");
    EXPECT_EQ(formatter.RequestText(resource, 2000000000000000000), "1953125000000000Ki");
    EXPECT_EQ(formatter.RequestText(resource, 0), "0");
    EXPECT_EQ(formatter.RequestText(resource, kMin), "-9223372036854775808");
  }
}

TEST(AmountTexts, OthersPrintInDecimalUnlessRegistered) {
  AmountFormatter formatter;
  EXPECT_EQ(formatter.RequestText("example.com/vram", 4096), "4096");
  EXPECT_EQ(formatter.RequestText("pods", 7000), "7k");
  formatter.RegisterBinaryResource("example.com/vram");
  EXPECT_EQ(formatter.RequestText("example.com/vram", 4096), "4Ki");
  EXPECT_EQ(formatter.RequestText("example.com/vram2", 4096), "4096");
}

TEST(AmountTexts, OnlyQuotaIsEverUnlimited) {
  const AmountFormatter formatter;
  EXPECT_EQ(formatter.QuotaText("memory", Amount::Unlimited()), "<unlimited>");
  EXPECT_EQ(formatter.QuotaText("memory", Amount(1024)), "1Ki");
  EXPECT_EQ(formatter.RequestText("memory", kMax), "9223372036854775807");
}

TEST(AmountUnits, CpuIsInCoresAndUnlimitedInfinite) {
  EXPECT_DOUBLE_EQ(InUnits("cpu", Amount(2500)), 2.5);
  EXPECT_DOUBLE_EQ(InUnits("memory", Amount(2500)), 2500);
  EXPECT_TRUE(std::isinf(InUnits("cpu", Amount::Unlimited())));
}

}  // namespace
}  // namespace berth::quantity
