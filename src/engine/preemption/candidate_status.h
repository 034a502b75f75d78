#pragma once

#include <span>
#include <vector>

#include "engine/explain/explanation.h"
#include "engine/preemption/targets.h"
#include "engine/state.h"

namespace berth::engine {

// The status of each reserved workload of the tree for a workload that needs quota, grouped by
// status, then by queue name. O(n log n) for n workloads.
std::vector<CandidateGroup> CandidateGroupsFor(const State& state, const Need& need,
                                               std::span<const PreemptionTarget> targets);

}  // namespace berth::engine
