#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/time.h"

namespace berth::store {

// Runs a function on its own thread: at once, and then periodically until destruction, which waits
// for a run in progress.
class Periodic {
 public:
  struct RateLimit {
    base::Duration interval = base::Duration::Seconds(60);
    base::Duration pause = base::Duration::Seconds(2);  // instead, after a failure
  };

  // The function returns false after a failure.
  Periodic(RateLimit rate_limit, std::function<bool()> run);
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

 private:
  void Run();

  RateLimit rate_limit_;
  std::function<bool()> run_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace berth::store
