#include "simulate/world/pending_counts.h"

namespace berth::simulate {

void PendingCounts::SyncTrees(const engine::QuotaForest& forest) {
  root_of_.assign(forest.node_count(), 0);
  by_node_.resize(forest.node_count());
  in_tree_.assign(forest.node_count(), 0);
  for (uint32_t i = 0; i < forest.node_count(); ++i) {
    const engine::NodeId node(i);
    root_of_[i] = forest.HasTree(node) ? forest.RootOf(node).value() : i;
    in_tree_[root_of_[i]] += by_node_[i];
  }
}

void PendingCounts::Add(engine::NodeId queue, int change) {
  by_node_[queue.index()] += static_cast<uint32_t>(change);
  in_tree_[root_of_[queue.index()]] += static_cast<uint64_t>(static_cast<int64_t>(change));
  total_ += static_cast<uint64_t>(static_cast<int64_t>(change));
}

}  // namespace berth::simulate
