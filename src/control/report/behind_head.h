#pragma once

// Pending reasons of workloads that the scheduler has not considered, because it never got past the
// head of their queue.

#include <optional>

#include "api/kueue/workload.h"
#include "control/scheduler.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// The first pending reason of an active workload that is not the head of its queue; nullopt if it
// has a reason, or is not such a workload. The head is not named, since it may change often.
// `is_admission_blocked`: by waitForPodsReady.blockAdmission. Valid only right after a cycle
// without progress.
std::optional<WorkloadChange> BehindHead(const api::Workload& workload,
                                         const workload::ClusterState& cluster,
                                         bool is_admission_blocked);

}  // namespace berth::control
