#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/quota_figures.h"
#include "query/viewer.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

struct FlavorRow {
  std::string name;
  std::string spec;  // the ResourceFlavor's, as JSON
  std::vector<QuotaFigures> resources;
  std::vector<std::string> cluster_queues;  // with quota of the flavor, by name
};

struct FlavorList {
  std::vector<FlavorRow> flavors;  // by name; empty unless the viewer may see them
};

// Quota, usage and ClusterQueues only if the viewer may see ClusterQueues.
FlavorList ListFlavors(const workload::ClusterState& cluster, const Viewer& viewer);
std::string ToJson(const FlavorList& list, std::string_view revision);

}  // namespace berth::query
