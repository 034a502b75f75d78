#include "engine/topology/domain_order.h"

#include <algorithm>

namespace berth::engine {

void OrderedDomains::SortUpTo(size_t count) {
  if (count <= sorted_) return;
  // Every further part costs a pass over all that are left.
  const size_t fewest = 32 + domains_.size() / 64;
  const size_t until = std::min(domains_.size(), std::max({count, sorted_ * 4, fewest}));
  const auto at = [&](size_t place) {
    return domains_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  // Choosing the next ones first is cheaper than a heap of all that are left.
  if (until < domains_.size()) std::nth_element(at(sorted_), at(until), domains_.end(), order_);
  std::sort(at(sorted_), at(until), order_);
  sorted_ = until;
}

void OrderedDomains::MoveToFront(size_t place) {
  SortUpTo(domains_.size());
  const auto at = domains_.begin() + static_cast<std::ptrdiff_t>(place);
  std::rotate(domains_.begin(), at, at + 1);
}

}  // namespace berth::engine
