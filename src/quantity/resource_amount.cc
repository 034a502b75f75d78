#include "quantity/resource_amount.h"

#include <limits>

namespace berth::quantity {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr int64_t kMilli = 1000;
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

}  // namespace

bool CountsInMilli(std::string_view resource) { return resource == kCpu; }

int64_t RequestAmount(std::string_view resource, const Quantity& quantity) {
  return CountsInMilli(resource) ? quantity.MilliValue() : quantity.Value();
}

Amount QuotaAmount(std::string_view resource, const Quantity& quantity) {
  const int64_t limit = CountsInMilli(resource) ? kMaxInt64 / kMilli : kMaxInt64;
  if (quantity >= Quantity::FromInt(limit)) return Amount::Unlimited();
  return Amount(RequestAmount(resource, quantity));
}

double InUnits(std::string_view resource, Amount amount) {
  if (amount.is_unlimited()) return std::numeric_limits<double>::infinity();
  const auto value = static_cast<double>(amount.value());
  return CountsInMilli(resource) ? value / kMilli : value;
}

bool AmountFormatter::IsBinary(std::string_view resource) const {
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-") || binary_.contains(resource);
}

Quantity AmountFormatter::ToQuantity(std::string_view resource, int64_t amount) const {
  if (CountsInMilli(resource)) return Quantity::FromMilli(amount);
  // Kubernetes finds no factor of 1024 in the lowest int64, which has no positive counterpart.
  const bool is_multiple = amount % 1024 == 0 && amount != std::numeric_limits<int64_t>::min();
  const bool is_binary = amount != 0 && is_multiple && IsBinary(resource);
  return Quantity::FromInt(amount, is_binary ? Format::kBinarySI : Format::kDecimalSI);
}

std::string AmountFormatter::RequestText(std::string_view resource, int64_t amount) const {
  return ToQuantity(resource, amount).ToString();
}

std::string AmountFormatter::QuotaText(std::string_view resource, Amount amount) const {
  if (amount.is_unlimited()) return quantity::ToString(amount);
  return RequestText(resource, amount.value());
}

}  // namespace berth::quantity
