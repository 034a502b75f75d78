#pragma once

// Which nodes match the pods of a podset: taints, node selector and node affinity.
//
// The rules of matching belong to the API, so the engine gets them as a function. The function must
// be pure: equal arguments give equal answers until SetNode changes the node.

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "engine/ids.h"
#include "engine/topology/change_log.h"
#include "engine/topology/topology_forest.h"

namespace berth::engine {

enum class NodeExclusion : uint8_t { kNone, kTaint, kNodeSelector, kNodeAffinity };

struct NodeMatch {
  NodeExclusion why = NodeExclusion::kNone;
  int64_t score = 0;  // sum of weights of preferred terms that match

  bool is_match() const { return why == NodeExclusion::kNone; }
};

using NodeMatcher = std::function<NodeMatch(NodeMatchId, FlavorId, ClusterNodeId)>;

// Answers of the matcher by leaf, kept between cycles. A change of a node invalidates its leaf
// alone.
class NodeMatchCache {
 public:
  struct Row {
    std::vector<NodeMatch> matches;  // by leaf
    std::vector<uint32_t> versions;  // of the leaf at that time; kUnknown: never evaluated
    ChangeLog::Position position = ChangeLog::kNothingRead;
    uint64_t last_use = 0;
  };

  void SetMatcher(NodeMatcher matcher) {
    matcher_ = std::move(matcher);
    rows_.clear();
  }
  // The row with all existing leaves up to date. Null if every node matches.
  const Row* Update(const TopologyForest& forest, FlavorId flavor, NodeMatchId match);
  void Erase(FlavorId flavor);

 private:
  static constexpr size_t kMostRows = 256;
  static constexpr size_t kMostMatches = size_t{1} << 20;  // of all rows: 20 MiB
  static constexpr uint32_t kUnknown = ~uint32_t{0};
  using Key = std::pair<FlavorId, NodeMatchId>;

  Row& RowOf(Key key, size_t leaves);
  void DropOldest();
  void Evaluate(const TopologyForest& forest, Key key, LeafIndex leaf, Row& row);

  NodeMatcher matcher_;
  std::map<Key, Row> rows_;
  uint64_t uses_ = 0;
};

}  // namespace berth::engine
