#pragma once

#include <cstdint>
#include <vector>

#include "engine/quota/quota_forest.h"

namespace berth::engine {

// A what-if on quota: sets the quota of single cells and updates the tree. Restored exactly on
// destruction. Trials nest like scopes. Inside one, usage may change only within a UsageTrial that
// begins and ends there too.
//
//   {
//     QuotaTrial trial(forest);
//     trial.Set(queue, column, {.nominal = Amount(10)});
//     … evaluate …
//   }  // restored
//
// For interactive queries: setting a cell costs O(nodes of the tree).
class QuotaTrial {
 public:
  explicit QuotaTrial(QuotaForest& forest) : forest_(forest) {}
  ~QuotaTrial();
  QuotaTrial(const QuotaTrial&) = delete;
  QuotaTrial& operator=(const QuotaTrial&) = delete;

  // Precondition: the node declares quota in this column.
  void Set(NodeId node, ColumnIndex column, const Quota& quota);

 private:
  struct SavedCell {
    uint32_t index;
    Cell cell;
  };
  struct SavedAmount {
    uint32_t index;
    Amount amount;
  };

  void Save(const std::vector<NodeId>& nodes, ColumnIndex column);
  void Recompute(const std::vector<NodeId>& nodes, ColumnIndex column);

  QuotaForest& forest_;
  std::vector<SavedCell> cells_;
  std::vector<SavedAmount> lendable_;
};

// The current quota of a node in a column.
Quota QuotaOf(const QuotaForest& forest, NodeId node, ColumnIndex column);

// All nodes of a node's tree, parents before children.
std::vector<NodeId> NodesOfTree(const QuotaForest& forest, NodeId node);

}  // namespace berth::engine
