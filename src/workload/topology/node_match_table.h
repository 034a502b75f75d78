#pragma once

// Which nodes match the pods of a podset: the rules behind engine::NodeMatcher.
//
//   1. Every taint NoSchedule or NoExecute of the node must be tolerated, by the pod, its flavor or
//   an
//      admission check.
//   2. All labels of the node selector must match.
//   3. One term of the required node affinity must match. An empty term matches no node.
// The score is the sum of the weights of the preferred terms that match.

#include <cstdint>
#include <string>
#include <vector>

#include "api/core/affinity.h"
#include "api/core/node.h"
#include "api/core/pod_spec.h"
#include "api/kueue/admission_check_state.h"
#include "base/flat_map.h"
#include "base/interner.h"
#include "engine/ids.h"
#include "engine/topology/node_match.h"
#include "workload/node_rules.h"

namespace berth::workload {

// What the pods of a podset require of nodes.
struct NodeRequirements {
  std::vector<api::Toleration> tolerations;
  base::FlatMap<std::string> node_selector;
  api::NodeAffinity affinity;

  static NodeRequirements From(const api::PodSpec& pod);
  // False if the selector contradicts.
  bool Merge(const api::PodSetUpdate& update);
};

// A node with compiled labels and taints.
struct NodeProfile {
  std::string name;
  base::FlatMap<NumberedLabel> labels;
  std::vector<NumberedTaint> taints;

  static NodeProfile From(const api::Node& node);
};

engine::NodeMatch MatchNode(const NodeRequirements& requirements,
                            const std::vector<api::Toleration>& flavor_tolerations,
                            const NodeProfile& node);

// Interned requirements, and the nodes and flavors that they are matched with.
class NodeMatchTable {
 public:
  engine::NodeMatchId Intern(NodeRequirements requirements);
  void SetNode(engine::ClusterNodeId id, NodeProfile profile);
  void SetTolerations(engine::FlavorId id, std::vector<api::Toleration> tolerations);

  engine::NodeMatch Match(engine::NodeMatchId id, engine::FlavorId flavor,
                          engine::ClusterNodeId node) const;

 private:
  base::Interner<engine::NodeMatchId> ids_;
  std::vector<NodeRequirements> requirements_;             // by NodeMatchId
  std::vector<NodeProfile> nodes_;                         // by ClusterNodeId
  std::vector<std::vector<api::Toleration>> tolerations_;  // by FlavorId
};

}  // namespace berth::workload
