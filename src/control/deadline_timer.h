#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "base/time.h"
#include "store/executor.h"
#include "store/weak_self.h"

namespace berth::control {

// A one-shot timer for the earliest of the requested deadlines. Wake-ups may be early or spurious:
// re-check and re-arm.
class DeadlineTimer {
 public:
  // The executor must outlive the timer.
  DeadlineTimer(store::Executor& executor, std::function<void()> ring)
      : executor_(executor), ring_(std::move(ring)) {}
  DeadlineTimer(const DeadlineTimer&) = delete;
  DeadlineTimer& operator=(const DeadlineTimer&) = delete;

  // Arms the timer for one wake-up. Later deadlines must be requested again after it.
  void SetFor(base::Time when, base::Time now) {
    if (next_ && *next_ <= when) return;
    next_ = when;
    executor_.PostAfter(when - now, self_.Wrap([this, when] { OnTime(when); }));
  }

  bool is_set() const { return next_.has_value(); }

 private:
  void OnTime(base::Time when) {
    if (next_ == when) next_.reset();
    ring_();
  }

  store::Executor& executor_;
  std::function<void()> ring_;
  std::optional<base::Time> next_;
  store::WeakSelf self_;
};

}  // namespace berth::control
