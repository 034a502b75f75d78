#pragma once

// The state of the cluster at a glance. O(workloads).

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/viewer.h"
#include "query/workload_counts.h"
#include "query/workload_row.h"

namespace berth::query {

struct Overview {
  static constexpr size_t kMostRows = 10;

  base::Time time;
  int64_t cohorts = 0;
  int64_t cluster_queues = 0;
  int64_t local_queues = 0;
  int64_t flavors = 0;
  // Of the workloads that the viewer may see.
  Counts workloads;
  int64_t finished = 0;
  // By resource, then flavor: the sums over all ClusterQueues, and the nominal quota of Cohorts.
  // Empty unless the viewer may see ClusterQueues.
  std::vector<QuotaFigures> resources;
  std::map<std::string, int64_t> pending_by_reason;
  std::vector<WorkloadRow> longest_pending;
  std::vector<WorkloadRow> recently_admitted;
};

Overview MakeOverview(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now);
std::string ToJson(const Overview& overview, std::string_view revision);

}  // namespace berth::query
