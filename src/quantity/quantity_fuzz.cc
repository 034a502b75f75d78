// Input: two texts separated by a line break. Each parses or fails with an error, and parsed
// numbers obey the laws of arithmetic.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/check.h"
#include "quantity/json_token.h"
#include "quantity/quantity.h"
#include "quantity/resource_amount.h"

namespace berth::quantity {
namespace {

// As in Kubernetes, two kinds of text are lossy: DecimalSI drops zeros that would need a suffix
// above E, and binary numbers beyond int64, which only arise from sums, saturate when parsed.
bool ReadsBack(const Quantity& quantity) {
  if (quantity.format() == Format::kDecimalExponent) return true;
  const Quantity limit = quantity.format() == Format::kDecimalSI
                             ? *Quantity::Parse("1000E")
                             : Quantity::FromInt(std::numeric_limits<int64_t>::max());
  Quantity magnitude = quantity;
  if (quantity.Sign() < 0) magnitude.Negate();
  return magnitude < limit;
}

void CheckText(const Quantity& quantity) {
  if (!ReadsBack(quantity)) return;
  const auto again = Quantity::Parse(quantity.ToString());
  CHECK(again.has_value());
  CHECK(*again == quantity);
  // A binary number that prints without a suffix parses as a decimal one.
  if (again->format() == quantity.format()) CHECK(IsIdentical(*again, quantity));
  const auto from_json = ParseJsonToken("\"" + quantity.ToString() + "\"");
  CHECK(from_json.has_value() && *from_json == quantity);
}

void CheckReadings(const Quantity& quantity) {
  const int64_t value = quantity.Value(), milli_value = quantity.MilliValue();
  CHECK((value > 0) - (value < 0) == quantity.Sign());
  CHECK(quantity.Sign() >= 0 ? milli_value >= value : milli_value <= value);
  const auto exact = quantity.ExactInt();
  CHECK(!exact || Quantity::FromInt(*exact) == quantity);
  for (const std::string_view resource : {"cpu", "memory"}) {
    const Amount quota = QuotaAmount(resource, quantity);
    CHECK(quota.is_unlimited() || quota == Amount(RequestAmount(resource, quantity)));
  }
}

void CheckPair(const Quantity& a, const Quantity& b) {
  Quantity difference = a;
  difference.Sub(b);
  const auto order = a <=> b;
  CHECK(difference.Sign() == (order > 0) - (order < 0));
  CHECK((b <=> a) == 0 <=> order);
  Quantity negated = b, sum = a;
  negated.Sub(a);
  negated.Negate();
  CHECK(negated == difference);
  sum.Add(b);
  Quantity swapped = b;
  swapped.Add(a);
  CHECK(sum == swapped);
  Quantity product = a;
  product.Multiply(b);
  CHECK(product.Sign() == a.Sign() * b.Sign());
  CheckText(sum);
  CheckText(difference);
  CheckReadings(product);
}

}  // namespace
}  // namespace berth::quantity

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using berth::quantity::Quantity;
  const std::string input(data, data + size);
  const std::string_view text = input;
  const size_t split = std::min(text.find('\n'), text.size());
  const std::string_view second = text.substr(std::min(split + 1, text.size()));
  static_cast<void>(berth::quantity::ParseJsonToken(second));
  const auto a = Quantity::Parse(text.substr(0, split));
  const auto b = Quantity::Parse(second);
  if (!a) CHECK(!Explain(a.error(), text.substr(0, split)).message.empty());
  if (a) berth::quantity::CheckText(*a);
  if (a) berth::quantity::CheckReadings(*a);
  if (a && b) berth::quantity::CheckPair(*a, *b);
  return 0;
}
