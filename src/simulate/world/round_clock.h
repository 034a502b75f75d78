#pragma once

#include <algorithm>

#include "base/time.h"

namespace berth::simulate {

// The virtual time of a world. Rounds are at least one cycle time apart.
class RoundClock {
 public:
  RoundClock(base::Time start, base::Duration cycle_time)
      : now_(start), end_(start), cycle_time_(cycle_time) {}

  base::Time now() const { return now_; }
  base::Time end() const { return end_; }  // time of the last event
  base::Duration cycle_time() const { return cycle_time_; }

  // The time of the round that handles an event.
  base::Time RoundFor(base::Time event) const {
    return std::max(event, has_begun_ ? now_ + cycle_time_ : now_);
  }
  void StartRound(base::Time at) {
    now_ = at;
    has_begun_ = true;
  }
  void RecordEvent(base::Time at) { end_ = std::max(end_, at); }
  void Stop(base::Time at) { now_ = end_ = at; }

 private:
  base::Time now_;
  base::Time end_;
  base::Duration cycle_time_;
  bool has_begun_ = false;
};

}  // namespace berth::simulate
