#include "workload/topology/topology_mismatch.h"

#include <algorithm>

#include "base/list_text.h"
#include "workload/convert/convert_topology.h"

namespace berth::workload {
namespace {

std::vector<std::string> RequestedLevels(std::span<const api::PodSet> pod_sets) {
  std::vector<std::string> levels;
  for (const api::PodSet& pod_set : pod_sets) {
    if (!pod_set.topology_request) continue;
    const api::PodSetTopologyRequest& request = *pod_set.topology_request;
    for (const auto& level : {request.required, request.preferred})
      if (level) levels.push_back(*level);
    for (const engine::SliceLayer& layer : SlicesOf(request)) levels.push_back(layer.level);
  }
  return levels;
}

bool RequestsTopology(std::span<const api::PodSet> pod_sets) {
  return std::ranges::any_of(
      pod_sets, [](const api::PodSet& pod_set) { return HasTopologyRequest(pod_set); });
}

}  // namespace

std::string TopologyMismatch(const std::vector<std::string>& levels,
                             std::span<const api::PodSet> pod_sets) {
  if (levels.empty()) return "pods request a topology, and the flavor has none";
  std::vector<std::string> missing;
  for (const std::string& level : RequestedLevels(pod_sets)) {
    const bool is_known = std::ranges::find(levels, level) != levels.end() ||
                          std::ranges::find(missing, level) != missing.end();
    if (!is_known) missing.push_back(level);
  }
  if (!missing.empty()) return "topology has no level " + base::ListText(missing, {.last = " or "});
  return RequestsTopology(pod_sets) ? "pods request no level of the topology"
                                    : "flavor has a topology, and the pods request none";
}

}  // namespace berth::workload
