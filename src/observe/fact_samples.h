#pragma once

#include <vector>

#include "control/fact.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/engine_feed.h"

namespace berth::observe {

// What counters, histograms and the gauges of the last cycle learn from something that happened.
// Only metrics that are switched on.
//
// Getting quota, being admitted, evicted, preempted or ready counts where it was written, so that
// replicas that look on do not count it again. That a workload finished, or gave its quota back
// after an eviction, counts for whoever sees it.
std::vector<Sample> SamplesOf(const control::Fact& fact, const workload::EngineFeed& feed,
                              const MetricOptions& options);

}  // namespace berth::observe
