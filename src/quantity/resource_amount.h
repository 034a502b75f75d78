#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "quantity/amount.h"
#include "quantity/quantity.h"

namespace berth::quantity {

// Kueue counts cpu in thousandths and other resources in whole units. These functions convert
// between such counts and quantities, based on the resource name only.

// Whether the resource is counted in thousandths.
bool CountsInMilli(std::string_view resource);

// A workload's request: rounded away from zero, saturated to int64.
int64_t RequestAmount(std::string_view resource, const Quantity& quantity);

// A quota or limit: the same conversion, but Unlimited from the first number that may not fit,
// which is 9223372036854775 for cpu (in cores) and 2^63-1 for other resources.
Amount QuotaAmount(std::string_view resource, const Quantity& quantity);

// The amount in the resource's base unit (cores for cpu), infinite if unlimited. For metrics.
double InUnits(std::string_view resource, Amount amount);

// Formats amounts as quantities.
//
// Resources counted in bytes (memory, ephemeral-storage, hugepages-* and those registered here)
// print in powers of 1024 if the amount is a multiple of 1024; all other amounts print in decimal:
// 1Gi, 1536Mi, but 1M.
class AmountFormatter {
 public:
  void RegisterBinaryResource(std::string_view resource) { binary_.emplace(resource); }

  Quantity ToQuantity(std::string_view resource, int64_t amount) const;
  // The text of a request, and of a quota, which may be "<unlimited>".
  std::string RequestText(std::string_view resource, int64_t amount) const;
  std::string QuotaText(std::string_view resource, Amount amount) const;

 private:
  bool IsBinary(std::string_view resource) const;

  std::set<std::string, std::less<>> binary_;
};

}  // namespace berth::quantity
