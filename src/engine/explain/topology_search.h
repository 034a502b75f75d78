#pragma once

#include <vector>

#include "engine/explain/explanation.h"
#include "engine/flavor/assignment.h"
#include "engine/state.h"

namespace berth::engine {

// The room for every podset that is placed in a topology, in each flavor of the searches that
// matches it. `assignment` is the one of the searches; earlier podsets of it take their room first.
std::vector<TopologySearch> SearchTopologies(State& state, WorkloadId workload,
                                             const Assignment& assignment,
                                             const std::vector<FlavorSearch>& searches);

// Whether every place that quota chose has room.
bool HasRoomInAll(const std::vector<TopologySearch>& searches);

}  // namespace berth::engine
