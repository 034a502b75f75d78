#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/time.h"

namespace berth::store {

// Looks after something on a thread of its own: at once, and then again and again until this is
// destroyed, which waits for the look under way.
class Periodic {
 public:
  struct Pace {
    base::Duration interval = base::Duration::Seconds(60);
    base::Duration pause = base::Duration::Seconds(2);  // after a failure
  };

  // The function says whether all was well.
  Periodic(Pace pace, std::function<bool()> look);
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

 private:
  void Run();

  Pace pace_;
  std::function<bool()> look_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace berth::store
