#pragma once

// The status of ClusterQueues, LocalQueues and Cohorts, from what their workloads hold.

#include <string_view>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/local_queue.h"
#include "base/time.h"
#include "control/tallies.h"
#include "workload/engine_feed.h"

namespace berth::control {

// Of Active, of ClusterQueues whose cohorts are each other's ancestors. Berth's own.
inline constexpr std::string_view kCohortCycleReason = "CohortCycle";

// Why a ClusterQueue admits nothing; "" if it is active.
std::string_view WhyInactive(std::string_view cluster_queue, const workload::EngineFeed& feed);

// What the status ought to be. Times of conditions that say the same as before stay.
api::ClusterQueueStatus StatusOf(const api::ClusterQueue& queue, const Tally& tally,
                                 const workload::EngineFeed& feed, base::Time now);
api::LocalQueueStatus StatusOf(const api::LocalQueue& queue, const Tally& tally,
                               const workload::EngineFeed& feed, base::Time now);
api::CohortStatus StatusOf(const api::Cohort& cohort, const workload::EngineFeed& feed);

}  // namespace berth::control
