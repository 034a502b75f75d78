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
                           const api::Workload& workload,
                           api::SliceCuts cuts = api::SliceCuts::kByPrefix);

// Removes counts of the admission that are those of the spec, where the pods of the set share a
// claim whose devices they cannot divide. The API rejects such a usage together with a count; an
// absent count means that of the spec.
void OmitIndivisibleCounts(const api::Workload& workload, api::Admission& admission);

// The reason in conditions: `WaitingForQuota`, `InClusterQueue`. "" for kNone.
std::string_view ReasonOf(engine::WaitReason reason);
std::string_view ReasonOf(engine::PreemptionReason reason);

}  // namespace berth::workload
