#include "store/system_time.h"

#include <chrono>
#include <mutex>

#include "store/slewed_clock.h"

namespace berth::store {

base::Time SystemTime() {
  using std::chrono::duration_cast;
  static std::mutex mutex;
  static SlewedClock clock;
  const std::lock_guard lock(mutex);
  const auto system = std::chrono::system_clock::now().time_since_epoch();
  const auto steady = std::chrono::steady_clock::now().time_since_epoch();
  return clock.Read({duration_cast<std::chrono::microseconds>(system).count()},
                    duration_cast<std::chrono::nanoseconds>(steady).count());
}

}  // namespace berth::store
