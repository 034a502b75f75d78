#pragma once

// Why a workload waits, in a sentence for its condition and its Event. `berth explain` says more.

#include <string>

#include "workload/engine_feed.h"

namespace berth::control {

// The decision must be of the cycle that was run last.
std::string WaitMessage(const engine::Decision& decision, const workload::EngineFeed& feed);

}  // namespace berth::control
