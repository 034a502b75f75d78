#pragma once

// The consumption of LocalQueues for admission fair sharing: an exponentially decaying average of
// the usage of their admitted workloads.

#include <map>
#include <optional>
#include <string>

#include "api/kueue/fair_sharing.h"
#include "base/time.h"

namespace berth::control {

struct UsageSampling {
  base::Duration half_life;  // 0: only current usage counts
  base::Duration interval;   // between samples
};

struct UsageSample {
  api::AdmissionFairSharingStatus status;  // unchanged if no sample is due
  base::Time next;                         // when the next sample is due
};

// `used`: the usage of admitted workloads by resource, in its own unit (cores, bytes, ...). The
// first sample of a queue is zero: consumption counts from then on.
UsageSample SampleUsage(const std::optional<api::AdmissionFairSharingStatus>& before,
                        const std::map<std::string, double>& used, const UsageSampling& sampling,
                        base::Time now);

}  // namespace berth::control
