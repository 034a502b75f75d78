#include "workload/requeue_backoff.h"

#include <algorithm>
#include <limits>

namespace berth::workload {
namespace {

constexpr double kJitterFactor = 0.0001;
constexpr int64_t kLongest = int64_t{1} << 62;

int64_t WithoutJitter(BackoffSettings settings, int32_t attempt) {
  int64_t delay = base::Duration::Seconds(std::max(settings.base_seconds, 0)).nanos;
  if (attempt <= 1) return delay;
  const int64_t most =
      settings.max_seconds > 0 ? base::Duration::Seconds(settings.max_seconds).nanos : kLongest;
  for (int32_t i = 1; i < attempt && delay > 0 && delay < most; ++i) delay *= 2;
  return std::min(delay, most);
}

}  // namespace

base::Duration BackoffDelay(BackoffSettings settings, int32_t attempt, double jitter) {
  const int64_t delay = WithoutJitter(settings, attempt);
  return {delay + static_cast<int64_t>(jitter * kJitterFactor * static_cast<double>(delay))};
}

Requeue NextRequeue(BackoffSettings settings, std::optional<int32_t> count,
                    std::optional<base::Time> requeue_at, base::Time now, double jitter) {
  const int32_t before = std::max(count.value_or(0), 0);
  const int32_t attempt = before == std::numeric_limits<int32_t>::max() ? before : before + 1;
  const base::Time at = now + BackoffDelay(settings, attempt, jitter);
  return {attempt, std::max(at, requeue_at.value_or(at))};
}

}  // namespace berth::workload
