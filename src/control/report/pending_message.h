#pragma once

// The pending reason of a workload as a sentence for its condition and Event. `berth explain` has
// the details.

#include <string>

#include "workload/state/cluster_state.h"

namespace berth::control {

// The decision must be one of the last cycle.
std::string PendingMessage(const engine::Decision& decision, workload::ClusterState& cluster);

// For a workload whose ResourceClaims cannot be resolved, or are rejected. Not only cycles decide
// so.
std::string ClaimMessage(const api::Workload& workload, workload::ClusterState& cluster);

}  // namespace berth::control
