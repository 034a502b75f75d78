#include "store/periodic.h"

#include <chrono>
#include <utility>

namespace berth::store {

Periodic::Periodic(RateLimit rate_limit, std::function<bool()> run)
    : rate_limit_(rate_limit), run_(std::move(run)), thread_([this] { Run(); }) {}

Periodic::~Periodic() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stop_.notify_one();
  thread_.join();
}

void Periodic::Run() {
  while (true) {
    const base::Duration wait = run_() ? rate_limit_.interval : rate_limit_.pause;
    std::unique_lock lock(mutex_);
    if (stop_.wait_for(lock, std::chrono::nanoseconds(wait.nanos), [this] { return is_stopped_; }))
      return;
  }
}

}  // namespace berth::store
