#pragma once

// Reasons to wait that are not written yet: those of workloads that give another one, and all while
// the server is busy with those before them. In a queue that moves, most are out of date before
// anybody could read them: the workload is admitted, or waits for something else. So each is held
// for a moment, and of several the last one counts.

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta.h"
#include "base/time.h"
#include "control/scheduler.h"

namespace berth::control {

// Whether a change need not be written at once. Only reasons to wait need not, and of those neither
// the first one of a Workload, which is news as long as there is room to write it, nor one that
// goes with the preemption of others. `quota`: the Workload's condition about it, null if it has
// none.
bool MayBeHeld(const WorkloadChange& change, const api::Condition* quota, bool has_room);

// The reason to wait that a Workload gives; nullopt if it gives none yet. What was said of its spec
// as it was before counts as another reason.
std::optional<std::string_view> ReasonSaid(const api::Condition* quota, int64_t generation);

class HeldWaits {
 public:
  // `said`: ReasonSaid of the Workload. Numbers that change while the reason stays
  // are held longer, and the first of all reasons no longer than it has to be.
  void Hold(WorkloadChange wait, std::optional<std::string_view> said, base::Time now);
  // Something else was decided, or it is gone.
  void Drop(std::string_view workload);

  // Those that were held long enough, the earliest first, and no more than so many.
  std::vector<WorkloadChange> TakeDue(base::Time now,
                                      size_t most = std::numeric_limits<size_t>::max());
  // When there is one to take; nullopt if none is held.
  std::optional<base::Time> next() const {
    return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
  }
  bool Holds(std::string_view workload) const { return waits_.contains(workload); }
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
