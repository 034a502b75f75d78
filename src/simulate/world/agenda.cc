#include "simulate/world/agenda.h"

#include <algorithm>

namespace berth::simulate {

std::optional<base::Time> Agenda::NextTime() const {
  base::Time next = kNever;
  if (!timers_.empty()) next = timers_.top().at;
  if (next_arrival_ < input_.jobs.size()) next = std::min(next, input_.jobs[next_arrival_].arrival);
  if (next_edit_ < edits_.size()) next = std::min(next, input_.start + edits_[next_edit_].after);
  if (next == kNever) return std::nullopt;
  return next;
}

std::optional<Timer> Agenda::TakeTimer(base::Time now) {
  if (timers_.empty() || timers_.top().at > now) return std::nullopt;
  const Timer timer = timers_.top();
  timers_.pop();
  return timer;
}

const Edit* Agenda::TakeEdit(base::Time now) {
  if (next_edit_ == edits_.size() || input_.start + edits_[next_edit_].after > now) return nullptr;
  return &edits_[next_edit_++];
}

std::optional<uint32_t> Agenda::TakeArrival(base::Time now) {
  if (next_arrival_ == input_.jobs.size() || input_.jobs[next_arrival_].arrival > now)
    return std::nullopt;
  return static_cast<uint32_t>(next_arrival_++);
}

}  // namespace berth::simulate
