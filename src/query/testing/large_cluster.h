#pragma once

// A cluster for benchmarks: ClusterQueues in cohorts of twenty, and pending workloads.

#include <memory>
#include <string>

#include "base/time.h"
#include "workload/state/cluster_state.h"

namespace berth::query::testing {

inline constexpr base::Time kLargeNow = base::Time::FromSeconds(1'800'000'000);

// Pending, in the LocalQueue "main" of namespace "ns" and the number of its queue.
api::Workload PendingWorkload(int queue, int number);
std::unique_ptr<workload::ClusterState> MakeLargeCluster(int queues, int workloads);

}  // namespace berth::query::testing
