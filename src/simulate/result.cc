#include "simulate/result.h"

#include <algorithm>
#include <cmath>

namespace berth::simulate {

double UsageOutcome::utilisation() const {
  return nominal > 0 && std::isfinite(nominal) ? used / nominal : 0;
}

base::Duration WaitOf(const JobOutcome& job, base::Time end) {
  const base::Time until = job.first_start == kNever ? std::max(end, job.arrival) : job.first_start;
  return until - job.arrival;
}

}  // namespace berth::simulate
