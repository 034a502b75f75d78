#pragma once

// Reasons to wait that are not written yet, of workloads that give another one. In a queue that
// moves, most are out of date before anybody could read them: the workload is admitted, or waits
// for something else. So each is held for a moment, and of several the last one counts.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "control/scheduler.h"

namespace berth::control {

class HeldWaits {
 public:
  // `said`: the reason that the Workload gives so far. Numbers that change while the
  // reason stays are held longer.
  void Hold(WorkloadChange wait, std::string_view said, base::Time now);
  // Something else was decided, or it is gone.
  void Drop(std::string_view workload);

  // Those that were held long enough.
  std::vector<WorkloadChange> TakeDue(base::Time now);
  // When there is one to take; nullopt if none is held.
  std::optional<base::Time> next() const {
    return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
  }
  bool empty() const { return waits_.empty(); }

 private:
  struct Held {
    WorkloadChange wait;
    base::Time due;
  };

  std::map<std::string, Held, std::less<>> waits_;      // by workload
  std::set<std::pair<base::Time, std::string>> order_;  // in which they are due
};

}  // namespace berth::control
