#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

// How long a workload waits before it is queued again after an eviction.
namespace berth::workload {

struct BackoffSettings {
  int32_t base_seconds = 60;
  int32_t max_seconds = 3600;  // 0: about 146 years
};

// The delay before the attempt'th retry, which counts from 1: the base, doubled with every further
// attempt up to the maximum. The first delay is the base even where that is above the maximum.
// `jitter`, in [0, 1), adds up to a ten-thousandth, on top of the maximum too, so that workloads
// evicted together do not come back together.
base::Duration BackoffDelay(BackoffSettings settings, int32_t attempt, double jitter);

struct Requeue {
  int32_t count = 0;  // of requeues so far
  base::Time at;

  friend bool operator==(const Requeue&, const Requeue&) = default;
};

// What `status.requeueState` becomes: one requeue more, and the time of the next one. A later time
// that is there already stays.
Requeue NextRequeue(BackoffSettings settings, std::optional<int32_t> count,
                    std::optional<base::Time> requeue_at, base::Time now, double jitter);

}  // namespace berth::workload
