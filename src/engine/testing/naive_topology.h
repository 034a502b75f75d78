#pragma once

// A model of Topologies that keeps nodes and placed pods in plain lists and sums them up again for
// every question.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/topology/topology_spec.h"

namespace berth::engine::testing {

class NaiveTopology {
 public:
  struct Pods {
    std::string host;
    int32_t count = 0;
    int64_t cpu = 0;  // of each
  };

  using Rack = std::pair<std::string, std::string>;  // with its block

  // Nodes by name.
  std::map<std::string, ClusterNodeSpec> nodes;
  std::map<std::string, int64_t> other_cpu;  // of one pod each
  std::vector<Pods> placed;
  std::vector<std::pair<Rack, int32_t>> placed_in_racks;  // pods of one cpu

  static const std::string* Label(const ClusterNodeSpec& node, std::string_view key) {
    for (const NodeLabel& label : node.labels)
      if (label.key == key) return &label.value;
    return nullptr;
  }
  // The nodes that are usable and have this hostname.
  std::vector<const ClusterNodeSpec*> NodesOf(const std::string& host) const {
    std::vector<const ClusterNodeSpec*> found;
    for (const auto& [name, node] : nodes) {
      const std::string* value = Label(node, kHostnameLevel);
      if (node.is_usable && value != nullptr && *value == host) found.push_back(&node);
    }
    return found;
  }
  bool Exists(const std::string& host) const { return !NodesOf(host).empty(); }

  // Whether two usable nodes have one hostname.
  bool HasTwins() const {
    for (const auto& [name, node] : nodes) {
      const std::string* host = Label(node, kHostnameLevel);
      if (node.is_usable && host != nullptr && NodesOf(*host).size() > 1) return true;
    }
    return false;
  }
  // The usable nodes with the labels of the rack.
  std::vector<const ClusterNodeSpec*> NodesOf(const Rack& rack) const {
    std::vector<const ClusterNodeSpec*> found;
    for (const auto& [name, node] : nodes) {
      const std::string* block = Label(node, "block");
      const std::string* value = Label(node, "rack");
      if (node.is_usable && block != nullptr && value != nullptr && Rack(*block, *value) == rack)
        found.push_back(&node);
    }
    return found;
  }
  int64_t FreeCpu(const Rack& rack) const {
    int64_t free = 0;
    for (const ClusterNodeSpec* node : NodesOf(rack)) free += Capacity(*node, ResourceId(1), false);
    for (const auto& [at, pods] : placed_in_racks)
      if (at == rack) free -= pods;
    return free;
  }

  // What is allocatable less other pods.
  int64_t Capacity(const ClusterNodeSpec& node, ResourceId resource, bool is_pods) const {
    int64_t capacity = 0;
    for (const Request& r : node.allocatable)
      if (r.resource == resource) capacity += r.amount;
    const auto other = other_cpu.find(node.name);
    return other == other_cpu.end() ? capacity : capacity - (is_pods ? 1 : other->second);
  }

  // What is free of a resource: the capacity less placed pods. A hostname of several nodes has no
  // capacity.
  int64_t Free(const std::string& host, ResourceId resource, bool is_pods) const {
    const std::vector<const ClusterNodeSpec*> hosts = NodesOf(host);
    int64_t free = hosts.size() == 1 ? Capacity(*hosts[0], resource, is_pods) : 0;
    for (const Pods& pods : placed)
      if (pods.host == host) free -= is_pods ? pods.count : pods.count * pods.cpu;
    return free;
  }
};

}  // namespace berth::engine::testing
