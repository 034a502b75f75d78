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
  bool is_read = false;   // asking twice does no harm
  bool was_sent = false;  // as far as is known; an answer proves it
  int number = 1;         // of the attempt, from 1
};

// How long to wait before the same request is made again; nullopt if the failure is the answer.
//
// Anything that was certainly not done is tried again: too many requests, a server that is not
// ready, a connection that was never made. What may have been done is tried again only if it was a
// read: of a write the caller must look at the object first. The pause is the server's, if it
// asked for one, else it doubles with every attempt.
std::optional<base::Duration> PauseBeforeRetry(const store::Failure& failure,
                                               const FailedAttempt& attempt,
                                               const RetrySettings& settings = {});

}  // namespace berth::kube
