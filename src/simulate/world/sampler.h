#pragma once

#include <utility>
#include <vector>

#include "base/time.h"
#include "simulate/result.h"
#include "simulate/world/usage_meter.h"

namespace berth::simulate {

// Samples of usage and queue lengths over time. Their number is bounded: when there are too many,
// every second one is dropped and the interval doubles.
class Sampler {
 public:
  Sampler(base::Time start, base::Duration interval) : interval_(interval), next_(start) {}

  bool IsDue(base::Time now) const { return now >= next_; }
  void Take(base::Time now, const UsageMeter& meter, const std::vector<uint32_t>& pending);
  std::vector<Samples::Row> TakeRows() && { return std::move(rows_); }

 private:
  std::vector<Samples::Row> rows_;
  base::Duration interval_;
  base::Time next_;
};

}  // namespace berth::simulate
