#pragma once

#include <vector>

#include "engine/explain/explanation.h"
#include "engine/flavor/assignment.h"
#include "engine/state.h"

namespace berth::engine {

// The room for each podset with a topology, in each matching flavor of the searches. `assignment`
// is the result of the searches; its earlier podsets take their room first.
std::vector<TopologySearch> SearchTopologies(State& state, WorkloadId workload,
                                             const Assignment& assignment,
                                             const std::vector<FlavorSearch>& searches);

// Whether each podset has room in the flavor that quota assigned.
bool HasRoomInAll(const std::vector<TopologySearch>& searches);

}  // namespace berth::engine
