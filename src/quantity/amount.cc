#include "quantity/amount.h"

#include <type_traits>

namespace berth::quantity {

// The engine stores quota in flat arrays of Amount.
static_assert(sizeof(Amount) == sizeof(int64_t) && std::is_trivially_copyable_v<Amount>);

std::string ToString(Amount amount) {
  return amount.is_unlimited() ? "<unlimited>" : std::to_string(amount.value());
}

}  // namespace berth::quantity
