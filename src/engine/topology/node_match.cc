#include "engine/topology/node_match.h"

#include <algorithm>

namespace berth::engine {

const NodeMatchCache::Row* NodeMatchCache::Update(const TopologyForest& forest, FlavorId flavor,
                                                  NodeMatchId match) {
  // Without hostnames a leaf has many nodes, and none of them is matched on its own.
  if (!forest.is_hostname_lowest() || match.is_none() || !matcher_) return nullptr;
  Row& row = RowOf({flavor, match}, forest.leaf_count());
  row.last_use = ++uses_;
  row.matches.resize(forest.leaf_count());
  row.versions.resize(forest.leaf_count(), kUnknown);
  const Key key{flavor, match};
  if (const auto changed = forest.changes().Since(row.position)) {
    for (const LeafIndex leaf : *changed) Evaluate(forest, key, leaf, row);
  } else {
    for (LeafIndex leaf = 0; leaf < forest.leaf_count(); ++leaf) Evaluate(forest, key, leaf, row);
  }
  row.position = forest.changes().end();
  return &row;
}

void NodeMatchCache::Evaluate(const TopologyForest& forest, Key key, LeafIndex leaf, Row& row) {
  if (row.versions[leaf] == forest.VersionOf(leaf)) return;
  row.versions[leaf] = forest.VersionOf(leaf);
  const ClusterNodeId node = forest.FirstNodeOf(leaf);
  if (!node.is_none()) row.matches[leaf] = matcher_(key.second, key.first, node);
}

NodeMatchCache::Row& NodeMatchCache::RowOf(Key key, size_t leaves) {
  const auto is_full = [&] {
    return rows_.size() >= kMostRows || (rows_.size() + 1) * leaves > kMostMatches;
  };
  if (!rows_.contains(key))
    while (rows_.size() > 1 && is_full()) DropOldest();
  return rows_[key];
}

void NodeMatchCache::DropOldest() {
  rows_.erase(
      std::ranges::min_element(rows_, {}, [](const auto& entry) { return entry.second.last_use; }));
}

void NodeMatchCache::Erase(FlavorId flavor) {
  std::erase_if(rows_, [&](const auto& entry) { return entry.first.first == flavor; });
}

}  // namespace berth::engine
