#include "store/inbox.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "store/system_time.h"

namespace berth::store {
namespace {

// Longest single wait and longest delay; bounded so that the clock arithmetic cannot overflow.
constexpr int64_t kLongWaitNanos = 3'600'000'000'000;
constexpr int64_t kMostDelayNanos = int64_t{1} << 62;

}  // namespace

int64_t Inbox::SteadyNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

base::Time Inbox::Now() const { return SystemTime() + base::Duration{advanced_}; }

// Notify while holding the mutex: once it is released, the owner may already have run the task and
// destroyed the inbox.

void Inbox::Post(Task task) {
  const std::lock_guard lock(mutex_);
  ready_.push_back(std::move(task));
  changed_.notify_one();
}

void Inbox::PostAfter(base::Duration delay, Task task) {
  const std::lock_guard lock(mutex_);
  later_.push({AdvancedNanos() + std::clamp<int64_t>(delay.nanos, 0, kMostDelayNanos),
               next_number_++, std::move(task)});
  changed_.notify_one();
}

void Inbox::Stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_one();
}

void Inbox::Advance(base::Duration duration) {
  const std::lock_guard lock(mutex_);
  advanced_ += duration.nanos;
  changed_.notify_one();
}

void Inbox::MoveDue() {
  const int64_t now = AdvancedNanos();
  while (!later_.empty() && later_.top().at <= now) {
    ready_.push_back(std::move(later_.top().task));
    later_.pop();
  }
}

bool Inbox::TakeTasks(int64_t until) {
  std::unique_lock lock(mutex_);
  while (true) {
    const int64_t now = SteadyNanos();
    MoveDue();
    if (is_stopped_) return false;
    if (!ready_.empty()) {
      at_hand_.swap(ready_);
      return true;
    }
    if (now >= until) return false;
    int64_t wait = std::min(until - now, kLongWaitNanos);
    if (!later_.empty()) wait = std::min(wait, later_.top().at - AdvancedNanos());
    changed_.wait_for(lock, std::chrono::nanoseconds(wait));
  }
}

bool Inbox::RunOne(int64_t until) {
  if (is_stopped_ || (at_hand_.empty() && !TakeTasks(until))) return false;
  Task task = std::move(at_hand_.front());
  at_hand_.pop_front();
  task();
  return true;
}

void Inbox::Run() {
  while (RunOne(std::numeric_limits<int64_t>::max())) {
  }
}

size_t Inbox::RunReady() {
  size_t count = 0;
  while (RunOne(0)) ++count;
  return count;
}

}  // namespace berth::store
