#pragma once

// The status of ClusterQueues, LocalQueues and Cohorts, from the counters of their workloads.

#include <string_view>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "base/time.h"
#include "control/report/queue_counters.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

// The reason of Active=False of a ClusterQueue whose cohorts form a cycle. Specific to Berth.
inline constexpr std::string_view kCohortCycleReason = "CohortCycle";

// The reason why a ClusterQueue admits nothing; "" if it is active.
std::string_view InactiveReason(std::string_view cluster_queue,
                                const workload::ClusterState& cluster);

// The desired status. Transition times of unchanged conditions are kept.
api::ClusterQueueStatus StatusOf(const api::ClusterQueue& queue, const QueueCounts& counts,
                                 const workload::ClusterState& cluster, base::Time now);
api::LocalQueueStatus StatusOf(const api::LocalQueue& queue, const QueueCounts& counts,
                               const workload::ClusterState& cluster, base::Time now);
api::CohortStatus StatusOf(const api::Cohort& cohort, const workload::ClusterState& cluster);

}  // namespace berth::control
