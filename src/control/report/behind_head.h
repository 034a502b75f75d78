#pragma once

// Pending reasons of workloads that were not considered yet because the head of their queue is not
// admitted.

#include <optional>

#include "api/kueue/workload.h"
#include "control/scheduler.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// The first pending reason of an active workload that is not the head of its queue; nullopt for
// other workloads and for those with a reason. Does not name the head, which may change often.
// `is_admission_blocked`: by waitForPodsReady.blockAdmission. Valid only right after a cycle
// without progress.
std::optional<WorkloadChange> BehindHead(const api::Workload& workload,
                                         const workload::ClusterState& cluster,
                                         bool is_admission_blocked);

}  // namespace berth::control
