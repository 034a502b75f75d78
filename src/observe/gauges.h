#pragma once

#include <vector>

#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/engine_feed.h"

namespace berth::observe {

// All gauges that follow from what there is, worked out anew: what is gone has none. The feed must
// be in sync. One walk over the workloads and one over the queues.
std::vector<Sample> GaugesOf(const workload::EngineFeed& feed, const MetricOptions& options);

}  // namespace berth::observe
