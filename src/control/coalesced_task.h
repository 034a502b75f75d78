#pragma once

#include <functional>
#include <utility>

#include "store/executor.h"
#include "store/weak_self.h"

namespace berth::control {

// A task of an executor that is pending at most once: scheduling it again before it runs has no
// effect. Dropped with this object.
class CoalescedTask {
 public:
  // The executor must outlive this.
  CoalescedTask(store::Executor& executor, std::function<void()> run)
      : executor_(executor), run_(std::move(run)) {}
  CoalescedTask(const CoalescedTask&) = delete;
  CoalescedTask& operator=(const CoalescedTask&) = delete;

  void Schedule() {
    if (std::exchange(is_scheduled_, true)) return;
    executor_.Post(self_.Wrap([this] { Run(); }));
  }
  bool is_scheduled() const { return is_scheduled_; }

 private:
  void Run() {
    is_scheduled_ = false;
    run_();
  }

  store::Executor& executor_;
  std::function<void()> run_;
  bool is_scheduled_ = false;
  store::WeakSelf self_;
};

}  // namespace berth::control
