#include "query/number.h"

#include "quantity/resource_amount.h"

namespace berth::query {
namespace {

// 1500 -> "1.5", -250 -> "-0.25".
std::string ThousandthsText(int64_t value) {
  const bool is_negative = value < 0;
  const uint64_t size =
      is_negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string fraction = std::to_string(1000 + size % 1000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (is_negative ? "-" : "") + std::to_string(size / 1000) +
         (fraction.empty() ? "" : "." + fraction);
}

std::string CountText(std::string_view resource, int64_t amount) {
  return quantity::CountsInMilli(resource) ? ThousandthsText(amount) : std::to_string(amount);
}

}  // namespace

std::string NumberText(std::string_view resource, quantity::Amount amount) {
  return amount.is_unlimited() ? "null" : CountText(resource, amount.value());
}

void WriteAmount(schema::JsonWriter& w, std::string_view key, std::string_view resource,
                 quantity::Amount amount) {
  w.Key(key).Raw(NumberText(resource, amount));
}

void WriteAmount(schema::JsonWriter& w, std::string_view key, std::string_view resource,
                 int64_t amount) {
  w.Key(key).Raw(CountText(resource, amount));
}

void WriteText(schema::JsonWriter& w, std::string_view key, std::string_view text) {
  if (!text.empty()) w.Member(key, text);
}

}  // namespace berth::query
