#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"

namespace berth::dashboard {

// The part of the controllers' time that answers may take: a credit that grows by a small share of
// the time that passes, and by a larger one of the time in which the thread had nothing to do, up
// to a maximum. A task may start while there is credit, and pays what it took. So answers slow down
// busy controllers by no more than the small share, however many clients ask, and are prompt while
// the controllers are idle.
class ThreadBudget {
 public:
  static constexpr int64_t kShare = 66;       // one sixty-sixth: 1.5 %
  static constexpr int64_t kShareOfIdle = 8;  // 12.5 %
  static constexpr base::Duration kMostCredit = base::Duration::Milliseconds(100);

  // The time after which to ask again; 0: a task may start. `now` is of a steady clock, `busy` the
  // processor time of the thread so far.
  base::Duration UntilNext(base::Duration now, base::Duration busy) {
    const int64_t passed = now.nanos - now_;
    const int64_t idle = std::max<int64_t>(0, passed - (busy.nanos - busy_));
    credit_ = std::min(kMostCredit.nanos, credit_ + passed / kShare + idle / kShareOfIdle);
    now_ = now.nanos;
    busy_ = busy.nanos;
    return {credit_ > 0 ? 0 : std::max(kShortestWait.nanos, -credit_ * kShareOfIdle)};
  }
  void Pay(base::Duration took) { credit_ -= took.nanos; }

 private:
  static constexpr base::Duration kShortestWait = base::Duration::Milliseconds(2);

  int64_t credit_ = kMostCredit.nanos;
  int64_t now_ = 0;
  int64_t busy_ = 0;
};

}  // namespace berth::dashboard
