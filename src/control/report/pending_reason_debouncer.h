#pragma once

// Debounces pending reasons. In a moving queue most reasons are outdated before anyone reads them:
// the workload is admitted or waits for something else. So updates of a reason, and all reasons
// while the server is busy, are deferred for a moment; the last one wins.

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta/meta.h"
#include "base/time.h"
#include "control/scheduler.h"

namespace berth::control {

// Whether the write of a change may be deferred. Only pending reasons may, except a Workload's
// first reason while there is capacity, and reasons that accompany a preemption. `quota`: the
// Workload's condition QuotaReserved; null if it has none.
bool MayDefer(const WorkloadChange& change, const api::Condition* quota, bool has_capacity);

// The pending reason in a Workload's status; nullopt if there is none, "" if it is that of an
// earlier generation.
std::optional<std::string_view> ReportedReason(const api::Condition* quota, int64_t generation);

class PendingReasonDebouncer {
 public:
  // Defers a pending reason. `reported`: ReportedReason of the Workload. An update of the message
  // alone is deferred longer; a first reason is due at once.
  void Hold(WorkloadChange wait, std::optional<std::string_view> reported, base::Time now);
  // Drops the deferred reason, if any, because another decision replaces it.
  void Drop(std::string_view workload);

  // Takes at most `most` reasons that are due, the earliest first.
  std::vector<WorkloadChange> TakeDue(base::Time now,
                                      size_t most = std::numeric_limits<size_t>::max());
  // The earliest due time; nullopt if none is deferred.
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
  std::set<std::pair<base::Time, std::string>> order_;  // by due time
};

}  // namespace berth::control
