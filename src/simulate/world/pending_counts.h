#pragma once

#include <cstdint>
#include <vector>

#include "engine/quota/quota_forest.h"

namespace berth::simulate {

// The number of pending jobs by ClusterQueue and by cohort tree.
class PendingCounts {
 public:
  // To be called when queues or cohorts change: trees may have been merged or split.
  void SyncTrees(const engine::QuotaForest& forest);

  void Add(engine::NodeId queue, int change);
  bool HasPendingInTreeOf(engine::NodeId queue) const {
    return in_tree_[root_of_[queue.index()]] > 0;
  }
  const std::vector<uint32_t>& by_node() const { return by_node_; }
  uint64_t total() const { return total_; }

 private:
  std::vector<uint32_t> root_of_;  // by NodeId
  std::vector<uint32_t> by_node_;
  std::vector<uint64_t> in_tree_;  // by root
  uint64_t total_ = 0;
};

}  // namespace berth::simulate
