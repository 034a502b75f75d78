#include "kube/token_bucket.h"

#include <algorithm>

namespace berth::kube {

TokenBucket::TokenBucket(double per_second, int burst)
    : per_second_(per_second), burst_(std::max(burst, 1)), tokens_(burst_) {}

base::Duration TokenBucket::Take(base::Time now) {
  if (per_second_ <= 0) return {};
  if (has_begun_ && now > last_)
    tokens_ = std::min(burst_, tokens_ + (now - last_).seconds() * per_second_);
  has_begun_ = true;
  last_ = std::max(last_, now);
  tokens_ -= 1;
  if (tokens_ >= 0) return {};
  return {static_cast<int64_t>(-tokens_ / per_second_ * 1e9)};
}

}  // namespace berth::kube
