#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/time.h"

namespace berth::dashboard {

// Limits how often each client acts: a burst, and then so many times a second.
class TokenBuckets {
 public:
  TokenBuckets(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // Takes a token; false if the client has none left.
  bool Take(std::string_view client, base::Time now) {
    Bucket& bucket = BucketOf(client, now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
  bool HasToken(std::string_view client, base::Time now) {
    return BucketOf(client, now).tokens >= 1;
  }

 private:
  static constexpr size_t kMostClients = 10'000;

  struct Bucket {
    double tokens;
    base::Time filled_at;
  };

  Bucket& BucketOf(std::string_view client, base::Time now) {
    // Many clients must not exhaust memory.
    if (buckets_.size() >= kMostClients) buckets_.clear();
    Bucket& bucket =
        buckets_.try_emplace(std::string(client), Bucket{.tokens = burst_, .filled_at = now})
            .first->second;
    const double seconds = std::max(0.0, (now - bucket.filled_at).seconds());
    bucket.tokens = std::min(burst_, bucket.tokens + seconds * per_second_);
    bucket.filled_at = now;
    return bucket;
  }

  double per_second_;
  double burst_;
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace berth::dashboard
