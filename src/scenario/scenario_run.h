#pragma once

// Plays a scenario on the engine.
//
// A cycle takes a second. Between cycles, preempted workloads stop, release their quota and are
// requeued. Nothing else happens outside of steps.

#include <vector>

#include "scenario/outcome.h"
#include "scenario/scenario.h"

namespace berth::scenario {

// The outcome of each step. `per_cycle` has an entry for every requested cycle; after a cycle
// without pending workloads nothing changes.
std::vector<Outcome> Play(const Scenario& scenario);

}  // namespace berth::scenario
