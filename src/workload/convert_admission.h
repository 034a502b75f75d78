#pragma once

// Decisions of the engine as the status of Workloads.

#include <string>
#include <string_view>
#include <vector>

#include "api/admission.h"
#include "api/workload.h"
#include "base/time.h"
#include "engine/engine.h"

namespace berth::workload {

// What a workload that holds quota was given. The workload names the podsets, in the engine's
// order.
api::Admission ToAdmission(const engine::Engine& engine, engine::WorkloadId id,
                           const api::Workload& workload);

// The word for it in conditions: `WaitingForQuota`, `InClusterQueue`. "" for kNone.
std::string_view ReasonOf(engine::WaitReason reason);
std::string_view ReasonOf(engine::PreemptionReason reason);

// Sets a condition; its time changes only with its status.
void SetCondition(std::vector<api::Condition>& conditions, api::Condition condition,
                  base::Time now);

// The workload holds quota. What was said of an earlier eviction is over.
void MarkReserved(api::Workload& workload, api::Admission admission, base::Time now);
// Its quota is wanted by another. It holds it until it has stopped.
void MarkPreempted(api::Workload& workload, std::string_view reason, base::Time now);
// It has stopped, gave its quota back and waits again. What it was evicted for stays known.
void MarkRequeued(api::Workload& workload, base::Time now);
void MarkFinished(api::Workload& workload, std::string_view reason, base::Time now);

}  // namespace berth::workload
