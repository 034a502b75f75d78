#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/workload.h"
#include "base/time.h"
#include "engine/engine.h"
#include "workload/state/pod_usage.h"
#include "workload/topology/node_match_table.h"

namespace berth::workload {

// How often changes of nodes and pods may requeue workloads. Room is seen at once; workloads that
// wait for it are tried again at most once per interval, the first time at once.
struct NodeRounds {
  base::Duration nodes;
  base::Duration pods;
};

// Nodes and the pods on them that are placed by others, and which of them changed since the last
// Sync. Without topology-aware scheduling nothing is kept.
class NodeCache {
 public:
  // The engine must outlive this.
  NodeCache(bool is_enabled, NodeRounds rounds, engine::Engine& engine);

  bool is_enabled() const { return is_enabled_; }
  void Upsert(const api::Node& node) { changed_nodes_[node.metadata.name] = node; }
  void EraseNode(std::string_view name) { changed_nodes_[std::string(name)] = std::nullopt; }
  void Upsert(const api::Pod& pod) { pods_.Upsert(pod); }
  void ErasePod(std::string_view namespaced_name) { pods_.Erase(namespaced_name); }
  // Pods of a placed workload count with the workload, not on their nodes.
  void SetPlaced(const api::Workload& workload, bool is_placed);

  // Flavors and Topologies that changed.
  void MarkFlavor(std::string_view name) { flavors_.emplace(name); }
  void MarkTopology(std::string_view name) { topologies_.emplace(name); }
  const std::set<std::string>& changed_flavors() const { return flavors_; }
  const std::set<std::string>& changed_topologies() const { return topologies_; }

  // Applies changes of nodes to the engine.
  void SyncNodes();
  // Applies changes of pods, and starts the rounds that are due.
  void SyncPods(base::Time now);
  void ClearChanges();
  // The start of the next round; nullopt if nothing waits for one.
  std::optional<base::Time> next_round() const;
  // Whether a changed node waits for its round.
  bool has_waiting_nodes() const { return !node_round_.nodes.empty(); }

  NodeMatchTable& matches() { return matches_; }

 private:
  // Nodes whose users are requeued together.
  struct Round {
    base::Duration interval;
    base::Time next = {};
    std::set<std::string> nodes = {};
  };

  void Run(Round& round, base::Time now);

  bool is_enabled_;
  engine::Engine& engine_;
  PodUsage pods_;
  std::map<std::string, std::optional<api::Node>> changed_nodes_;  // nullopt: deleted
  Round node_round_, pod_round_;
  std::set<std::string> flavors_;
  std::set<std::string> topologies_;
  NodeMatchTable matches_;
};

}  // namespace berth::workload
