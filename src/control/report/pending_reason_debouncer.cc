#include "control/report/pending_reason_debouncer.h"

#include <algorithm>
#include <utility>

namespace berth::control {
namespace {

constexpr base::Duration kReasonDelay = base::Duration::Milliseconds(300);
constexpr base::Duration kMessageDelay = base::Duration::Seconds(2);

}  // namespace

bool MayDefer(const WorkloadChange& change, const api::Condition* quota, bool has_capacity) {
  if (change.kind != WorkloadChange::Kind::kWait || !change.targets.empty()) return false;
  return quota == nullptr ? !has_capacity : quota->status != api::kConditionTrue;
}

std::optional<std::string_view> ReportedReason(const api::Condition* quota, int64_t generation) {
  if (quota == nullptr) return std::nullopt;
  return quota->observed_generation == generation ? std::string_view(quota->reason) : "";
}

void PendingReasonDebouncer::Hold(WorkloadChange wait, std::optional<std::string_view> reported,
                                  base::Time now) {
  base::Time due = !reported                  ? now
                   : wait.reason == *reported ? now + kMessageDelay
                                              : now + kReasonDelay;
  if (const auto held = waits_.find(wait.workload); held != waits_.end()) {
    due = std::min(due, held->second.due);
    Drop(wait.workload);
  }
  order_.emplace(due, wait.workload);
  std::string name = wait.workload;
  waits_.emplace(std::move(name), Held{.wait = std::move(wait), .due = due});
}

void PendingReasonDebouncer::Drop(std::string_view workload) {
  const auto held = waits_.find(workload);
  if (held == waits_.end()) return;
  order_.erase({held->second.due, held->first});
  waits_.erase(held);
}

std::vector<WorkloadChange> PendingReasonDebouncer::TakeDue(base::Time now, size_t most) {
  std::vector<WorkloadChange> due;
  while (due.size() < most && !order_.empty() && order_.begin()->first <= now) {
    due.push_back(std::move(waits_.extract(order_.begin()->second).mapped().wait));
    order_.erase(order_.begin());
  }
  return due;
}

}  // namespace berth::control
