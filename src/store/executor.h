#pragma once

#include <functional>

#include "base/time.h"

namespace berth::store {

using Task = std::move_only_function<void()>;

// Where the owner of some state wants to be called: it runs tasks one at a time, so what they touch
// needs no locks. All functions may be called from any thread; none runs a task itself. Tasks that
// were posted by one thread run in that order.
class Executor {
 public:
  virtual ~Executor() = default;

  virtual void Post(Task task) = 0;
  // Not before so long from now.
  virtual void PostAfter(base::Duration delay, Task task) = 0;
  // The time that the owner goes by, which a simulation makes up.
  virtual base::Time Now() const = 0;
};

}  // namespace berth::store
