#pragma once

// Counts behind the gauges, by queue, from one pass over all workloads.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/spec.h"
#include "observe/metric_options.h"
#include "workload/state/cluster_state.h"

namespace berth::observe {

struct GaugeCounts {
  // The reasons of the conditions Admitted and QuotaReserved of an unadmitted workload.
  using Reasons = std::pair<std::string, std::string>;
  // By the values of custom workload labels; a single entry without values if there are none.
  using ByWorkloadLabels = std::map<std::vector<std::string>, int64_t>;

  ByWorkloadLabels active;  // pending and queued
  ByWorkloadLabels inadmissible;
  std::set<engine::EquivalenceKey> active_shapes;
  std::set<engine::EquivalenceKey> inadmissible_shapes;
  int64_t finished = 0;
  int64_t reserving = 0;
  ByWorkloadLabels admitted;
  std::map<engine::FlavorResourceId, int64_t> reserved;
  std::map<engine::FlavorResourceId, int64_t> used;
  std::map<engine::ResourceId, int64_t> pending_requests;
  std::map<Reasons, int64_t> unadmitted;
  std::map<std::string, int64_t, std::less<>> constrained;  // by constraint
};

struct GaugeCountsTable {
  std::map<std::string, GaugeCounts, std::less<>> cluster_queues;
  std::map<std::string, GaugeCounts, std::less<>> local_queues;  // by namespaced name

  static GaugeCountsTable Of(const workload::ClusterState& cluster, const MetricOptions& options);
};

}  // namespace berth::observe
