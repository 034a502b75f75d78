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

// The executor of a thread that has nothing else to do: it takes tasks out and runs them. Also what
// a test drives by hand. Tasks that are left when it is destroyed are dropped.
class Inbox final : public Executor {
 public:
  void Post(Task task) override;
  void PostAfter(base::Duration delay, Task task) override;
  base::Time Now() const override;

  // The functions below are for the one thread that owns the inbox.

  // Runs tasks until Stop.
  void Run();
  // Runs what is due now, without waiting; returns how many tasks that were.
  size_t RunReady();
  // Runs tasks until the condition holds, which is looked at after each; false if it does not hold
  // after so long.
  template <class Condition>
  bool RunUntil(Condition holds, base::Duration limit) {
    const int64_t end = SteadyNanos() + limit.nanos;
    while (!holds())
      if (!RunOne(end)) return holds();
    return true;
  }

  // May be called from any thread, and from a signal-safe context through Post only. Run returns
  // after the task at hand.
  void Stop();

 private:
  struct Timed {
    int64_t at;
    uint64_t number;  // of equal times, first come first served
    mutable Task task;

    bool operator<(const Timed& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  static int64_t SteadyNanos();
  // Waits for a task until then and runs it; false if there was none.
  bool RunOne(int64_t until);
  // Waits for tasks until then and takes all there are; false if there were none.
  bool TakeTasks(int64_t until);
  // The caller holds the mutex.
  void MoveDue(int64_t now);

  std::deque<Task> at_hand_;  // the owner's alone
  std::atomic<bool> is_stopped_ = false;

  std::mutex mutex_;  // what follows
  std::condition_variable changed_;
  std::deque<Task> ready_;
  std::priority_queue<Timed> later_;
  uint64_t next_number_ = 0;
};

}  // namespace berth::store
