#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"

namespace berth::dashboard {

// The part of the controllers' time that answers may take: a credit that grows by a share of the
// time that passes, up to a maximum. A task may start while there is credit, and pays what it took,
// so that in the long run answers take no more than the share, however many clients ask.
class ThreadBudget {
 public:
  static constexpr int64_t kShare = 50;  // one fiftieth: 2 %
  static constexpr base::Duration kMostCredit = base::Duration::Seconds(1);

  // The time until a task may start; 0: now. `now` is of a steady clock.
  base::Duration UntilNext(base::Duration now) {
    credit_ = std::min(kMostCredit.nanos, credit_ + (now.nanos - last_) / kShare);
    last_ = now.nanos;
    return {credit_ > 0 ? 0 : (1 - credit_) * kShare};
  }
  void Pay(base::Duration took) { credit_ -= took.nanos; }

 private:
  int64_t credit_ = kMostCredit.nanos;
  int64_t last_ = 0;
};

}  // namespace berth::dashboard
