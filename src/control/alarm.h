#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/time.h"
#include "store/executor.h"

namespace berth::control {

// Rings at the earliest of the moments that were asked for, or a little before: who is early asks
// again. Rings for others too, so nobody may count on what it rings for.
class Alarm {
 public:
  // The executor must outlive it.
  Alarm(store::Executor& executor, std::function<void()> ring)
      : executor_(executor), ring_(std::move(ring)), self_(std::make_shared<Alarm*>(this)) {}
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Good for one ring. Whoever wants to be woken later than the next ring asks again after it.
  void SetFor(base::Time when, base::Time now) {
    if (next_ && *next_ <= when) return;
    next_ = when;
    executor_.PostAfter(when - now, [weak = std::weak_ptr(self_), when] {
      if (const auto self = weak.lock()) (*self)->OnTime(when);
    });
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
  std::shared_ptr<Alarm*> self_;
};

}  // namespace berth::control
