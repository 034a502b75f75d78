#pragma once

#include "control/scheduler.h"
#include "journal/record.h"
#include "workload/state/state_call.h"

namespace berth::journal {

// The record of a call. The metadata of objects is recorded without their managed fields.
Record RecordOf(const workload::StateCall& call);
// The record of a cycle at this time.
Record RecordOf(const control::CycleResult& result, base::Time now);

// The header of a journal of controllers with these options.
Header HeaderFor(const api::Configuration& configuration, const api::FeatureGates& gates,
                 const workload::ClusterStateOptions& options);

}  // namespace berth::journal
