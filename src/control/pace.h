#pragma once

#include <algorithm>

#include "base/time.h"

namespace berth::control {

// Before what the server has refused is tried again: it may pass, and if not, there is no hurry.
inline constexpr base::Duration kPauseAfterRefusal = base::Duration::Seconds(1);

// How often something may be done: a few times in a row, and in the long run once in an interval.
// So a change is seen at once, and many changes cost little.
class Pace {
 public:
  explicit Pace(int in_a_row) : in_a_row_(in_a_row) {}

  // When it may be done again; not later than now if at once. The interval may differ each time.
  base::Time Next(base::Duration interval) const {
    return reached_ - base::Duration{interval.nanos * (in_a_row_ - 1)};
  }
  void Note(base::Time now, base::Duration interval) {
    reached_ = std::max(reached_, now) + interval;
  }

 private:
  int in_a_row_;
  base::Time reached_;  // if each time had taken an interval
};

}  // namespace berth::control
