#pragma once

#include <cstdint>
#include <functional>

namespace berth::engine {

// The smallest number in [low, high] with a positive answer. Precondition: `high` has one, and so
// has every number above one that has.
inline int64_t Smallest(int64_t low, int64_t high, const std::function<bool(int64_t)>& answer) {
  if (low < high && answer(low)) return low;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (answer(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace berth::engine
