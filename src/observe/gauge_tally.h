#pragma once

// What gauges count, by queue: one walk over all workloads.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/spec.h"
#include "observe/metric_options.h"
#include "workload/engine_feed.h"

namespace berth::observe {

struct GaugeTally {
  // Why it is not admitted: the reasons of its conditions Admitted and QuotaReserved.
  using Reasons = std::pair<std::string, std::string>;
  // By the values of custom labels of workloads; one entry, of none, where there are no such
  // labels.
  using ByWorkloadLabels = std::map<std::vector<std::string>, int64_t>;

  ByWorkloadLabels active;  // wait, in line
  ByWorkloadLabels inadmissible;
  std::set<engine::EquivalenceKey> active_shapes;
  std::set<engine::EquivalenceKey> inadmissible_shapes;
  int64_t finished = 0;
  int64_t reserving = 0;
  ByWorkloadLabels admitted;
  std::map<engine::PairId, int64_t> reserved;
  std::map<engine::PairId, int64_t> used;
  std::map<engine::ResourceId, int64_t> pending_requests;
  std::map<Reasons, int64_t> unadmitted;
  std::map<std::string, int64_t, std::less<>> constrained;  // by constraint
};

struct GaugeTallies {
  std::map<std::string, GaugeTally, std::less<>> cluster_queues;
  std::map<std::string, GaugeTally, std::less<>> local_queues;  // by namespaced name

  static GaugeTallies Of(const workload::EngineFeed& feed, const MetricOptions& options);
};

}  // namespace berth::observe
