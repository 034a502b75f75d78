#pragma once

#include "engine/cycle.h"
#include "engine/explanation.h"
#include "engine/pending.h"
#include "engine/state.h"

namespace berth::engine {

// Explains what becomes of a workload in the state at hand, and what would change that. The state
// is looked at with the cycle's own code and is as before afterwards. No cycle pays for it.
//
// The search for flavors is shown from the first flavor on, also where the next cycle would go on
// behind one. How it would fare against the heads of other queues in one cycle is not foreseen.
Explanation Explain(State& state, const PendingQueues& pending, Cycle& cycle, WorkloadId id);

}  // namespace berth::engine
