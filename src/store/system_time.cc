#include "store/system_time.h"

#include <chrono>

namespace berth::store {

base::Time SystemTime() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
}

}  // namespace berth::store
