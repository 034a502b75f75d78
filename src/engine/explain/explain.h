#pragma once

#include "engine/cycle/nominator.h"
#include "engine/explain/explanation.h"
#include "engine/queue/pending.h"
#include "engine/state.h"

namespace berth::engine {

// Explains the outcome of a workload in the current state and the changes that would admit it. Uses
// the cycle's code on trials and leaves the state unchanged. Cycles do not pay for it.
//
// The flavor search is shown from the first flavor, even where the next cycle would resume later.
// Competition with the heads of other queues in the same cycle is not predicted.
Explanation Explain(State& state, const PendingQueues& pending, Nominator& nominator,
                    WorkloadId id);

}  // namespace berth::engine
