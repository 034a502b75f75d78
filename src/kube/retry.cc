#include "kube/retry.h"

#include <algorithm>

namespace berth::kube {
namespace {

bool WasNotProcessed(const store::Failure& failure, const FailedAttempt& attempt) {
  if (failure.code() == 0) return !attempt.was_sent;
  return failure.code() == 429 || failure.code() == 503;
}

}  // namespace

std::optional<base::Duration> PauseBeforeRetry(const store::Failure& failure,
                                               const FailedAttempt& attempt,
                                               const RetrySettings& settings) {
  if (!failure.IsTransient() || attempt.number >= settings.most_attempts) return std::nullopt;
  if (!attempt.is_read && !WasNotProcessed(failure, attempt)) return std::nullopt;
  if (failure.retry_after_seconds() > 0)
    return base::Duration::Seconds(failure.retry_after_seconds());
  const int doublings = std::clamp(attempt.number - 1, 0, 20);
  return std::min(base::Duration{settings.first_pause.nanos << doublings}, settings.longest_pause);
}

}  // namespace berth::kube
