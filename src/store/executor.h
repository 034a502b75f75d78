#pragma once

#include <functional>

#include "base/time.h"

namespace berth::store {

using Task = std::move_only_function<void()>;

// A serial executor: runs one task at a time, so that state touched only by its tasks needs no
// lock. All functions are thread-safe, and none runs a task inline. Tasks posted by one thread run
// in the order of their posting.
class Executor {
 public:
  virtual ~Executor() = default;

  virtual void Post(Task task) = 0;
  // Runs the task after the delay, not before.
  virtual void PostAfter(base::Duration delay, Task task) = 0;
  // The current time of this executor; virtual in simulations.
  virtual base::Time Now() const = 0;
};

}  // namespace berth::store
