#pragma once

#include <cstdint>
#include <vector>

#include "engine/quota_forest.h"

namespace berth::engine {

// A what-if on quota: other amounts in single cells, with all that follows from them in the tree.
// Everything is as before, exactly, when it dies. Trials nest like scopes. Inside one, usage may
// change only within a UsageTrial that begins and ends there too.
//
//   {
//     QuotaTrial trial(forest);
//     trial.Set(queue, column, {.nominal = Amount(10)});
//     … look …
//   }  // as before
//
// For questions that people ask: setting a cell costs O(nodes of the tree).
class QuotaTrial {
 public:
  explicit QuotaTrial(QuotaForest& forest) : forest_(forest) {}
  ~QuotaTrial();
  QuotaTrial(const QuotaTrial&) = delete;
  QuotaTrial& operator=(const QuotaTrial&) = delete;

  // The node must have quota declared there already.
  void Set(NodeId node, Column column, const Quota& quota);

 private:
  struct SavedCell {
    uint32_t index;
    Cell cell;
  };
  struct SavedAmount {
    uint32_t index;
    Amount amount;
  };

  void Save(const std::vector<NodeId>& nodes, Column column);
  void Recompute(const std::vector<NodeId>& nodes, Column column);

  QuotaForest& forest_;
  std::vector<SavedCell> cells_;
  std::vector<SavedAmount> lendable_;
};

// What a node has in a column now.
Quota QuotaOf(const QuotaForest& forest, NodeId node, Column column);

// All nodes of the tree of a node, parents before their children.
std::vector<NodeId> NodesOfTree(const QuotaForest& forest, NodeId node);

}  // namespace berth::engine
