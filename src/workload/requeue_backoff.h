#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

// The back-off of a workload between its eviction and its requeue.
namespace berth::workload {

struct BackoffSettings {
  int32_t base_seconds = 60;
  int32_t max_seconds = 3600;  // 0: about 146 years
};

// The delay before retry number `attempt`, from 1: the base, doubled with every further attempt up
// to the maximum. The first delay is the base even if that exceeds the maximum. `jitter`, in
// [0, 1), adds up to a ten-thousandth, even to the maximum, so that workloads evicted together are
// not requeued together.
base::Duration BackoffDelay(BackoffSettings settings, int32_t attempt, double jitter);

struct Requeue {
  int32_t count = 0;  // requeues so far
  base::Time at;

  friend bool operator==(const Requeue&, const Requeue&) = default;
};

// The next `status.requeueState`: the incremented count and the time of the next requeue. A later
// `requeue_at` is kept.
Requeue NextRequeue(BackoffSettings settings, std::optional<int32_t> count,
                    std::optional<base::Time> requeue_at, base::Time now, double jitter);

}  // namespace berth::workload
