#pragma once

#include <span>
#include <vector>

#include "engine/explanation.h"
#include "engine/state.h"
#include "engine/victims.h"

namespace berth::engine {

// What each workload that holds quota in the tree is to one that needs quota, in groups: by
// standing, then by the name of the queue. O(n log n) for n workloads.
std::vector<CandidateGroup> StandingsFor(const State& state, const Need& need,
                                         std::span<const Victim> victims);

}  // namespace berth::engine
