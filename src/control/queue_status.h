#pragma once

// The status of ClusterQueues, LocalQueues and Cohorts, worked out anew from what the engine holds.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/local_queue.h"
#include "base/time.h"
#include "workload/engine_feed.h"

namespace berth::control {

// How much of what the workloads of a queue hold.
struct Tally {
  using Amounts = std::map<std::pair<std::string, std::string>, int64_t>;  // (flavor, resource)

  int32_t pending = 0;    // wait for quota
  int32_t reserving = 0;  // hold it
  int32_t admitted = 0;   // hold it and passed their checks
  Amounts reserved;
  Amounts used;  // by those that are admitted
};

// Of every queue that has workloads, in one walk over them.
//
// What waits counts as pending, in a back-off too. A LocalQueue without its ClusterQueue has
// pending workloads as well, as long as it is not stopped.
struct Tallies {
  std::map<std::string, Tally, std::less<>> cluster_queues;
  std::map<std::string, Tally, std::less<>> local_queues;  // by namespaced name

  static Tallies Of(const workload::EngineFeed& feed);
};

// Of Active, of ClusterQueues whose cohorts are each other's ancestors. Berth's own.
inline constexpr std::string_view kCohortCycleReason = "CohortCycle";

// Why a ClusterQueue admits nothing; "" if it is active.
std::string_view WhyInactive(std::string_view cluster_queue, const workload::EngineFeed& feed);

// What the status ought to be. Times of conditions that say the same as before stay.
api::ClusterQueueStatus StatusOf(const api::ClusterQueue& queue, const Tallies& tallies,
                                 const workload::EngineFeed& feed, base::Time now);
api::LocalQueueStatus StatusOf(const api::LocalQueue& queue, const Tallies& tallies,
                               const workload::EngineFeed& feed, base::Time now);
api::CohortStatus StatusOf(const api::Cohort& cohort, const workload::EngineFeed& feed);

}  // namespace berth::control
