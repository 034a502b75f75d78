#include "control/held_waits.h"

#include <algorithm>
#include <utility>

namespace berth::control {
namespace {

constexpr base::Duration kMoment = base::Duration::Milliseconds(300);
constexpr base::Duration kLongerMoment = base::Duration::Seconds(2);

}  // namespace

bool MayBeHeld(const WorkloadChange& change, const api::Condition* quota, bool has_room) {
  if (change.kind != WorkloadChange::Kind::kWait || !change.victims.empty()) return false;
  return quota == nullptr ? !has_room : quota->status != api::kConditionTrue;
}

std::optional<std::string_view> ReasonSaid(const api::Condition* quota, int64_t generation) {
  if (quota == nullptr) return std::nullopt;
  return quota->observed_generation == generation ? std::string_view(quota->reason) : "";
}

void HeldWaits::Hold(WorkloadChange wait, std::optional<std::string_view> said, base::Time now) {
  base::Time due = !said ? now : wait.reason == *said ? now + kLongerMoment : now + kMoment;
  if (const auto held = waits_.find(wait.workload); held != waits_.end()) {
    due = std::min(due, held->second.due);
    Drop(wait.workload);
  }
  order_.emplace(due, wait.workload);
  std::string name = wait.workload;
  waits_.emplace(std::move(name), Held{.wait = std::move(wait), .due = due});
}

void HeldWaits::Drop(std::string_view workload) {
  const auto held = waits_.find(workload);
  if (held == waits_.end()) return;
  order_.erase({held->second.due, held->first});
  waits_.erase(held);
}

std::vector<WorkloadChange> HeldWaits::TakeDue(base::Time now, size_t most) {
  std::vector<WorkloadChange> due;
  while (due.size() < most && !order_.empty() && order_.begin()->first <= now) {
    due.push_back(std::move(waits_.extract(order_.begin()->second).mapped().wait));
    order_.erase(order_.begin());
  }
  return due;
}

}  // namespace berth::control
