#pragma once

#include <optional>

#include "base/time.h"
#include "store/failure.h"

namespace berth::kube {

struct RetrySettings {
  int most_attempts = 8;
  base::Duration first_pause = base::Duration::Milliseconds(100);
  base::Duration longest_pause = base::Duration::Seconds(10);
};

// A request that failed.
struct FailedAttempt {
  bool is_read = false;   // idempotent
  bool was_sent = false;  // the server may have seen it
  int number = 1;         // of the attempt, from 1
};

// The back-off before the next attempt; nullopt if the failure is final.
//
// Requests that the server certainly did not process are retried: 429, 503, or no connection.
// Requests that it may have processed are retried only if they are reads; the caller of a write
// must read the object first. The server's Retry-After takes precedence over the exponential
// back-off.
std::optional<base::Duration> PauseBeforeRetry(const store::Failure& failure,
                                               const FailedAttempt& attempt,
                                               const RetrySettings& settings = {});

}  // namespace berth::kube
