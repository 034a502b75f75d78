#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/time.h"

namespace berth::store {

// The time of a process whose system clock is set.
//
// A clock that is set forward is followed at once. If it is set back, time goes on at half speed
// until the clock has caught up: no interval is negative, and no deadline recedes by the whole
// step.
class SlewedClock {
 public:
  // The readings of the system clock and of a steady one at this moment.
  base::Time Read(base::Time system, int64_t steady_nanos) {
    if (anchor_) {
      const base::Duration passed{std::max<int64_t>(steady_nanos - anchor_->steady_nanos, 0)};
      const base::Time slewed = anchor_->time + base::Duration{passed.nanos / 2};
      if (system < slewed) return slewed;
    }
    anchor_ = {system, steady_nanos};
    return system;
  }

 private:
  struct Anchor {
    base::Time time;
    int64_t steady_nanos = 0;
  };
  std::optional<Anchor> anchor_;  // the last reading of the system clock that was followed
};

}  // namespace berth::store
