#include "engine/quota/quota_trial.h"

namespace berth::engine {

Quota QuotaOf(const QuotaForest& forest, NodeId node, ColumnIndex column) {
  const Cell& cell = forest.cell(node, column);
  return {cell.nominal, cell.borrowing_limit, cell.lending_limit};
}

std::vector<NodeId> NodesOfTree(const QuotaForest& forest, NodeId node) {
  std::vector<NodeId> nodes{forest.RootOf(node)};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const QuotaForest::Node& at = forest.node(nodes[i]);
    for (const auto* children : {&at.child_queues, &at.child_cohorts})
      nodes.insert(nodes.end(), children->begin(), children->end());
  }
  return nodes;
}

QuotaTrial::~QuotaTrial() {
  for (auto it = cells_.rbegin(); it != cells_.rend(); ++it) forest_.cells_[it->index] = it->cell;
  for (auto it = lendable_.rbegin(); it != lendable_.rend(); ++it)
    forest_.lendable_[it->index] = it->amount;
}

void QuotaTrial::Set(NodeId node, ColumnIndex column, const Quota& quota) {
  const std::vector<NodeId> nodes = NodesOfTree(forest_, node);
  Save(nodes, column);
  Cell& cell = forest_.MutableCell(node, column);
  CHECK(cell.is_declared);
  cell.nominal = quota.nominal;
  cell.borrowing_limit = quota.borrowing_limit;
  cell.lending_limit = quota.lending_limit;
  Recompute(nodes, column);
}

void QuotaTrial::Save(const std::vector<NodeId>& nodes, ColumnIndex column) {
  for (const NodeId id : nodes) {
    const uint32_t index = forest_.node(id).row + column;
    cells_.push_back({index, forest_.cells_[index]});
  }
}

// As in a rebuild, for one column: quota and usage upwards, potential downwards.
void QuotaTrial::Recompute(const std::vector<NodeId>& nodes, ColumnIndex column) {
  for (const NodeId id : nodes) {
    Cell& cell = forest_.MutableCell(id, column);
    cell.subtree_quota = cell.nominal;
    if (!forest_.node(id).is_queue) cell.usage = Amount(0);
  }
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    if (forest_.HasParent(*it))
      QuotaForest::AccumulateCell(forest_.MutableCell(forest_.node(*it).parent, column),
                                  forest_.MutableCell(*it, column));
  }
  const std::vector<ResourceId>& resources = forest_.TreeOf(nodes.front()).resources;
  ColumnIndex begin = column, end = column + 1;
  while (begin > 0 && resources[begin - 1] == resources[column]) --begin;
  while (end < resources.size() && resources[end] == resources[column]) ++end;
  for (const NodeId id : nodes) {
    forest_.MutableCell(id, column).potential = forest_.PotentialOf(id, column);
    for (ColumnIndex c = begin; c < end; ++c) {
      const uint32_t index = forest_.node(id).row + c;
      lendable_.push_back({index, forest_.lendable_[index]});
    }
    forest_.ComputeLendable(id, begin, end);
  }
}

}  // namespace berth::engine
