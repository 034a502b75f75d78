#pragma once

#include <functional>
#include <string>

#include "observe/metrics.h"
#include "store/executor.h"

namespace berth::observe {

// Computes gauges on the controllers' thread, which owns the state; renders the text, which takes
// longer, on `requester` and calls `then` there. All arguments must outlive the call.
void Scrape(Metrics& metrics, store::Executor& controllers,
            std::function<const workload::ClusterState&()> cluster, store::Executor& requester,
            std::move_only_function<void(std::string)> then);

}  // namespace berth::observe
