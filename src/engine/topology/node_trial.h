#pragma once

// A what-if of nodes: changes of a flavor's capacity during its lifetime are undone on destruction.
// Only the flavor's own domains change. Names of nodes that were tried stay interned.

#include <cstdint>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "engine/ids.h"
#include "engine/topology/topologies.h"

namespace berth::engine {

class NodeTrial {
 public:
  // Precondition: the flavor has a topology.
  NodeTrial(Topologies& topologies, FlavorId flavor);
  ~NodeTrial();
  NodeTrial(const NodeTrial&) = delete;
  NodeTrial& operator=(const NodeTrial&) = delete;

  // More room in a leaf.
  void AddCapacity(LeafIndex leaf, NodeColumn column, base::Int128 amount);
  // Nodes like the first one of the leaf, without pods of workloads. Where the lowest level is the
  // hostname each of them is a leaf of its own beside it, otherwise they are part of the leaf.
  void AddNodesLike(LeafIndex leaf, int32_t count);

 private:
  struct Amount {
    LeafIndex leaf;
    NodeColumn column;
    base::Int128 amount;
  };
  struct Nodes {
    ClusterNodeId like;
    LeafIndex leaf;
    int32_t count;
  };
  void Add(const Nodes& nodes);
  LeafIndex AddHostLike(ClusterNodeId node, LeafIndex like, int32_t number);

  Topologies& topologies_;
  TopologyForest& forest_;
  std::vector<Amount> amounts_;
  std::vector<Nodes> nodes_;
};

}  // namespace berth::engine
