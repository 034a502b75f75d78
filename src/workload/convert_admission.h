#pragma once

// Decisions of the engine as the status of Workloads.

#include <string_view>

#include "api/admission.h"
#include "api/workload.h"
#include "engine/engine.h"

namespace berth::workload {

// What a workload that holds quota was given. The workload names the podsets, in the engine's
// order.
api::Admission ToAdmission(const engine::Engine& engine, engine::WorkloadId id,
                           const api::Workload& workload);

// The word for it in conditions: `WaitingForQuota`, `InClusterQueue`. "" for kNone.
std::string_view ReasonOf(engine::WaitReason reason);
std::string_view ReasonOf(engine::PreemptionReason reason);

}  // namespace berth::workload
