#pragma once

// Plays a scenario on the engine.
//
// A cycle takes a second. Between two cycles, workloads that were preempted stop: they give their
// quota back and wait again. Nothing else happens unless a step says so.

#include <vector>

#include "sim/outcome.h"
#include "sim/scenario.h"

namespace berth::sim {

// What came of each step. `per_cycle` has an entry for every cycle that was asked for; after a
// cycle in which nobody was in line nothing changes any more.
std::vector<Outcome> Play(const Scenario& scenario);

}  // namespace berth::sim
