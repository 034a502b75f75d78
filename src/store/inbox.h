#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <queue>
#include <vector>

#include "store/executor.h"

namespace berth::store {

// The event loop of a thread: an Executor whose owner runs its tasks. Tests drive it by hand. Tasks
// left over at destruction are dropped.
class Inbox final : public Executor {
 public:
  void Post(Task task) override;
  void PostAfter(base::Duration delay, Task task) override;
  base::Time Now() const override;

  // The functions below are for the owning thread only.

  // Runs tasks until Stop.
  void Run();
  // Runs the tasks that are due, without waiting; returns their number.
  size_t RunReady();
  // Runs tasks until the condition holds, which is checked after each task; false if it does not
  // hold within the limit.
  template <class Condition>
  bool RunUntil(Condition holds, base::Duration limit) {
    const int64_t end = SteadyNanos() + limit.nanos;
    while (!holds())
      if (!RunOne(end)) return holds();
    return true;
  }

  // Thread-safe, but not async-signal-safe. Run returns after the current task.
  void Stop();

  // For tests: lets time pass at once. Now is later by the duration from here on, and tasks of
  // PostAfter are due earlier. Thread-safe.
  void Advance(base::Duration duration);

 private:
  struct Timed {
    int64_t at;
    uint64_t number;  // FIFO order among equal times
    mutable Task task;

    bool operator<(const Timed& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  static int64_t SteadyNanos();
  // Waits for a task until the deadline and runs it; false if there was none.
  bool RunOne(int64_t until);
  // Waits for tasks until the deadline and takes all; false if there were none.
  bool TakeTasks(int64_t until);
  // The two below: the caller holds the mutex. Timed tasks count from the advanced time.
  int64_t AdvancedNanos() const { return SteadyNanos() + advanced_; }
  void MoveDue();

  std::deque<Task> at_hand_;  // owning thread only
  std::atomic<bool> is_stopped_ = false;
  std::atomic<int64_t> advanced_ = 0;  // nanoseconds; written with the mutex held

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Task> ready_;
  std::priority_queue<Timed> later_;
  uint64_t next_number_ = 0;
};

}  // namespace berth::store
