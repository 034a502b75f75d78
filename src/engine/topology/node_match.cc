#include "engine/topology/node_match.h"

#include <algorithm>

namespace berth::engine {

const NodeMatchCache::Row* NodeMatchCache::Update(const TopologyForest& forest, FlavorId flavor,
                                                  NodeMatchId match) {
  // Without hostnames a leaf has many nodes, and none of them is matched on its own.
  if (!forest.is_hostname_lowest() || match.is_none() || !matcher_) return nullptr;
  Row& row = RowOf({flavor, match});
  row.last_use = ++uses_;
  row.matches.resize(forest.leaf_count());
  row.versions.resize(forest.leaf_count(), kUnknown);
  for (LeafIndex leaf = 0; leaf < forest.leaf_count(); ++leaf) {
    if (row.versions[leaf] == forest.VersionOf(leaf)) continue;
    row.versions[leaf] = forest.VersionOf(leaf);
    const ClusterNodeId node = forest.FirstNodeOf(leaf);
    if (!node.is_none()) row.matches[leaf] = matcher_(match, flavor, node);
  }
  return &row;
}

NodeMatchCache::Row& NodeMatchCache::RowOf(Key key) {
  if (rows_.size() >= kMostRows && !rows_.contains(key)) DropOldest();
  return rows_[key];
}

void NodeMatchCache::DropOldest() {
  rows_.erase(
      std::ranges::min_element(rows_, {}, [](const auto& entry) { return entry.second.last_use; }));
}

void NodeMatchCache::Forget(FlavorId flavor) {
  std::erase_if(rows_, [&](const auto& entry) { return entry.first.first == flavor; });
}

}  // namespace berth::engine
