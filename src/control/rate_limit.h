#pragma once

#include <algorithm>

#include "base/time.h"

namespace berth::control {

// The back-off after a rejected write. Rejections can be transient (RBAC not loaded yet); the pause
// avoids a hot retry loop where they are not.
inline constexpr base::Duration kRejectionBackOff = base::Duration::Seconds(1);

// The pause before the attempt after `failures` in a row: doubled each time, up to a limit.
inline base::Duration DoublingBackOff(base::Duration first, int failures, base::Duration most) {
  base::Duration pause = first;
  for (int i = 1; i < failures && pause < most; ++i) pause.nanos *= 2;
  return std::min(pause, most);
}

// Limits a repeated action to a burst of `in_a_row` and one more per interval. A single change is
// visible at once, and many changes cost little.
class RateLimit {
 public:
  explicit RateLimit(int in_a_row) : in_a_row_(in_a_row) {}

  // The time from which the action is allowed again; the interval may differ between calls.
  base::Time Next(base::Duration interval) const {
    return reached_ - base::Duration{interval.nanos * (in_a_row_ - 1)};
  }
  void Record(base::Time now, base::Duration interval) {
    reached_ = std::max(reached_, now) + interval;
  }

 private:
  int in_a_row_;
  base::Time reached_;  // the end of the last action if each took an interval
};

}  // namespace berth::control
