#pragma once

// What LocalQueues consumed over time, for admission fair sharing: an average of what their
// admitted workloads use, in which the past counts less with every half-life.

#include <map>
#include <optional>
#include <string>

#include "api/fair_sharing.h"
#include "base/time.h"

namespace berth::control {

struct UsageSampling {
  base::Duration half_life;  // 0: the past does not count
  base::Duration interval;   // between two samples
};

struct UsageSample {
  api::AdmissionFairSharingStatus status;  // as before, if it is too early
  base::Time next;                         // when the next is due
};

// `used`: by resource, in its own unit (cores, bytes, …), of what is admitted now. The first sample
// of a queue is nothing: what it admits is only counted from then on.
UsageSample SampleUsage(const std::optional<api::AdmissionFairSharingStatus>& before,
                        const std::map<std::string, double>& used, const UsageSampling& sampling,
                        base::Time now);

}  // namespace berth::control
