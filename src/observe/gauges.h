#pragma once

#include <vector>

#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/state/cluster_state.h"

namespace berth::observe {

// All gauges derived from the current state, recomputed from scratch: deleted objects have none.
// The cluster state must be in sync. One pass over the workloads and one over the queues.
std::vector<Sample> GaugesOf(const workload::ClusterState& cluster, const MetricOptions& options);

}  // namespace berth::observe
