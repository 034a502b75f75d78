#pragma once

// Converts decisions of the engine to the status of Workloads.

#include <string_view>

#include "api/kueue/admission.h"
#include "api/kueue/workload.h"
#include "engine/engine.h"

namespace berth::workload {

// The admission of a workload with reserved quota. Pod sets of the workload and the engine are in
// the same order.
api::Admission ToAdmission(const engine::Engine& engine, engine::WorkloadId id,
                           const api::Workload& workload);

// The reason in conditions: `WaitingForQuota`, `InClusterQueue`. "" for kNone.
std::string_view ReasonOf(engine::WaitReason reason);
std::string_view ReasonOf(engine::PreemptionReason reason);

}  // namespace berth::workload
