#pragma once

#include <functional>
#include <string>

#include "observe/metrics.h"
#include "store/executor.h"

namespace berth::observe {

// Gauges are worked out on the thread of the controllers, whose state they are of; the text, which
// takes longer, is written by whoever asks. The answer comes on `asker`. Everything must outlive
// the call.
void Scrape(const Metrics& metrics, store::Executor& controllers,
            std::function<const workload::EngineFeed&()> feed, store::Executor& asker,
            std::move_only_function<void(std::string)> then);

}  // namespace berth::observe
