#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/workload.h"
#include "engine/engine.h"
#include "workload/state/object_map.h"
#include "workload/topology/node_match_table.h"

namespace berth::workload {

// Nodes and the pods on them that are placed by others, and which of them changed since the last
// Sync. Without topology-aware scheduling nothing is kept.
class NodeCache {
 public:
  explicit NodeCache(bool is_enabled) : is_enabled_(is_enabled) {}

  bool is_enabled() const { return is_enabled_; }
  void Upsert(const api::Node& node);
  void EraseNode(std::string_view name);
  // Pods of workloads that are placed here count with their workload.
  void Upsert(const api::Pod& pod);
  void ErasePod(std::string_view namespaced_name);

  // Flavors and Topologies that changed.
  void MarkFlavor(std::string_view name) { flavors_.emplace(name); }
  void MarkTopology(std::string_view name) { topologies_.emplace(name); }
  const std::set<std::string>& changed_flavors() const { return flavors_; }
  const std::set<std::string>& changed_topologies() const { return topologies_; }

  // Applies changes of nodes and pods to the engine.
  void Sync(engine::Engine& engine);
  void ClearChanges();

  NodeMatchTable& matches() { return matches_; }

 private:
  void SetUsage(const std::string& node, engine::Engine& engine);

  bool is_enabled_;
  ObjectMap<api::Node> nodes_;
  ObjectMap<api::Pod> pods_;  // bound to a node, by namespaced name
  std::map<std::string, std::set<std::string>, std::less<>> pods_of_;  // by node
  std::set<std::string> changed_nodes_;
  std::set<std::string> nodes_with_changed_pods_;
  std::set<std::string> flavors_;
  std::set<std::string> topologies_;
  NodeMatchTable matches_;
};

}  // namespace berth::workload
