#pragma once

// Everything about one queue, with a page of its pending and of its admitted workloads.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/page.h"
#include "query/tree.h"
#include "query/viewer.h"
#include "query/workload_row.h"

namespace berth::query {

// Workloads of a queue: pending in scheduling order, and those with quota, the latest first.
struct QueuedWorkloads {
  size_t pending_total = 0;
  std::vector<WorkloadRow> pending;
  size_t admitted_total = 0;
  std::vector<WorkloadRow> admitted;
};

struct ClusterQueuePage {
  TreeNode node;
  std::string cohort;             // "": none
  std::vector<std::string> path;  // cohorts from the root
  api::ClusterQueueSpec spec;
  QueuedWorkloads workloads;
};

struct LocalQueuePage {
  LocalQueueNode node;
  std::vector<QuotaFigures> quotas;  // only flavor, resource and used
  QueuedWorkloads workloads;
};

// Nullopt if there is none, or none that the viewer may see. Workloads that the viewer may not see
// are counted, but not listed.
std::optional<ClusterQueuePage> MakeClusterQueuePage(const workload::ClusterState& cluster,
                                                     std::string_view name, const Viewer& viewer,
                                                     const Page& page, base::Time now);
std::optional<LocalQueuePage> MakeLocalQueuePage(const workload::ClusterState& cluster,
                                                 std::string_view namespaced_name,
                                                 const Viewer& viewer, const Page& page,
                                                 base::Time now);

std::string ToJson(const ClusterQueuePage& page, std::string_view revision);
std::string ToJson(const LocalQueuePage& page, std::string_view revision);

}  // namespace berth::query
