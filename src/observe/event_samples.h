#pragma once

#include <vector>

#include "control/report/controller_event.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/state/cluster_state.h"

namespace berth::observe {

// Samples of counters, histograms and the gauges of the last cycle that follow from a controller
// event. Only enabled metrics.
//
// Quota reservation, admission, eviction, preemption and readiness are counted by the replica that
// wrote them, so that followers do not count them again. Completion, and release of quota after an
// eviction, are counted by every replica that observes them.
std::vector<Sample> SamplesOf(const control::ControllerEvent& event,
                              const workload::ClusterState& cluster, const MetricOptions& options);

}  // namespace berth::observe
