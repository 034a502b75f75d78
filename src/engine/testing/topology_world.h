#pragma once

// A few nodes of one flavor, for tests of placements. Every pod takes one cpu and is one of `pods`.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/topology/placement.h"
#include "engine/topology/topologies.h"

namespace berth::engine::testing {

inline constexpr ResourceId kPods(0);
inline constexpr ResourceId kCpu(1);
inline constexpr FlavorId kFlavor(0);

class TopologyWorld {
 public:
  explicit TopologyWorld(std::vector<std::string> levels = {"block", "rack",
                                                            std::string(kHostnameLevel)})
      : topologies(kPods, true), levels_(std::move(levels)) {
    topologies.SetTopology({.name = "t", .levels = levels_});
    topologies.SetFlavor({.flavor = kFlavor, .topology = "t", .node_labels = {}});
  }

  // A node by the values of its levels, such as "b1/r1/n1".
  ClusterNodeSpec Node(std::string_view path, int64_t cpu, int64_t pods = 110) const {
    ClusterNodeSpec spec{
        .name = std::string(path), .labels = {}, .allocatable = {{kCpu, cpu}, {kPods, pods}}};
    for (const std::string& level : levels_) {
      const size_t end = std::min(path.find('/'), path.size());
      spec.labels.push_back({level, std::string(path.substr(0, end))});
      path.remove_prefix(std::min(end + 1, path.size()));
    }
    std::ranges::sort(spec.labels);
    return spec;
  }
  void AddNode(std::string_view path, int64_t cpu, int64_t pods = 110) {
    topologies.SetNode(Node(path, cpu, pods));
  }

  DomainPathId Path(const std::string& value) { return topologies.Path({&value, 1}); }
  // Pods of placed workloads on a host.
  void Use(const std::string& host, int32_t pods) {
    topologies.AddUsage(OneCpu(), {.flavor = kFlavor, .domains = {{Path(host), pods}}}, 1);
  }
  // As the flavor sees it.
  int64_t Used(DomainPathId path, NodeColumn column) const {
    const UsageArrays& arrays = forest().usage();
    int64_t used = 0;
    for (const uint32_t array : {arrays.lasting, arrays.tried}) {
      const int64_t* row = topologies.usage().Row(array, path);
      if (row != nullptr) used += row[column];
    }
    return used;
  }
  static PodSetTopology OneCpu() { return {.slices = {}, .per_pod = {{kCpu, 1}}}; }

  const TopologyForest& forest() const { return *topologies.Find(kFlavor); }

  Placement Find(PlacementRequest request) {
    request.flavor = kFlavor;
    request.worker = {{kPodsColumn, 1}, {topologies.ColumnOf(kCpu), 1}};
    request.leader = request.worker;
    Placement placement;
    PlacementSearch().Find(topologies, request, placement);
    return placement;
  }
  // "n1:2 n2:3"; "no place".
  std::string Place(const PlacementRequest& request) {
    const Placement placement = Find(request);
    return placement.is_found ? Text(placement.workers) : "no place";
  }
  std::string Text(const std::vector<DomainPods>& domains) const {
    std::string text;
    for (const DomainPods& pods : domains) {
      text += (text.empty() ? "" : " ") + std::string(topologies.LastValueOf(pods.path)) + ":" +
              std::to_string(pods.count);
    }
    return text;
  }

  Topologies topologies;

 private:
  std::vector<std::string> levels_;
};

}  // namespace berth::engine::testing
