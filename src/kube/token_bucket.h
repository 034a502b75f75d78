#pragma once

#include "base/time.h"

namespace berth::kube {

// So many requests a second, with a burst on top after a quiet while. Nobody is turned away: each
// gets to know how long to wait, in the order in which they ask.
class TokenBucket {
 public:
  // A rate that is not positive is no limit. A burst of less than one is one.
  TokenBucket(double per_second, int burst);

  // How long whoever asks at `now` has to wait. Moments must not go back.
  base::Duration Take(base::Time now);

 private:
  double per_second_;
  double burst_;
  double tokens_;  // negative: how many are promised already
  base::Time last_;
  bool has_begun_ = false;
};

}  // namespace berth::kube
