#pragma once

#include "base/time.h"

namespace berth::kube {

// A rate limiter with a burst. Requests are never rejected: each one is told how long to wait, in
// FIFO order.
class TokenBucket {
 public:
  // No limit if the rate is not positive. The burst is at least one.
  TokenBucket(double per_second, int burst);

  // Takes a token at `now` and returns the wait. `now` must not decrease.
  base::Duration Take(base::Time now);

 private:
  double per_second_;
  double burst_;
  double tokens_;  // negative: reserved in advance
  base::Time last_;
  bool has_begun_ = false;
};

}  // namespace berth::kube
