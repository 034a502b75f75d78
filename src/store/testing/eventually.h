#pragma once

#include <chrono>
#include <thread>

#include "base/time.h"

namespace berth::store::testing {

// Polls until the condition holds; false if it does not within the limit.
template <class Condition>
[[nodiscard]] bool Eventually(const Condition& holds,
                              base::Duration limit = base::Duration::Seconds(120)) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(limit.nanos);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace berth::store::testing
