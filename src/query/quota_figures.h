#pragma once

// What the quota tree says about a flavor and resource of one node.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/quota/quota_forest.h"
#include "schema/json/writer.h"

namespace berth::query {

// Of a ClusterQueue, its own; of a Cohort, those of the whole subtree.
//
//   nominal     quota of its own
//   used        by workloads with quota, admitted or not yet
//   borrowed    used beyond nominal quota
//   lent        nominal quota that it does not use, but others of its cohort do. A cohort's quota
//               is one pool: what is lent out of it is split over the queues with unused quota, in
//               proportion to it
//   available   that one more workload could use now, by borrowing too; at least 0
//   pending     requests of pending workloads, at the first flavor of their queue that their pods
//               match
struct QuotaFigures {
  std::string flavor;
  std::string resource;
  engine::Amount nominal;
  std::optional<engine::Amount> borrowing_limit;
  std::optional<engine::Amount> lending_limit;
  engine::Amount used;
  engine::Amount borrowed;
  int64_t lent = 0;
  engine::Amount available;
  int64_t pending = 0;
};

// Pending requests by column.
using PendingAmounts = std::map<engine::FlavorResourceId, int64_t>;

// The quota lent by each node, computed for all trees at once: O(nodes x columns).
class LentQuota {
 public:
  explicit LentQuota(const engine::QuotaForest& forest);

  int64_t Of(engine::NodeId node, engine::ColumnIndex column) const {
    return lent_[node.index()][column];
  }

 private:
  void Split(const engine::QuotaForest& forest, engine::NodeId cohort);

  std::vector<std::vector<int64_t>> lent_;  // by node and column
};

// The columns in which the node or one below it declares quota or has usage, by resource name, then
// flavor name. Empty without a tree.
std::vector<QuotaFigures> FiguresOf(const engine::QuotaForest& forest, engine::NodeId node,
                                    const LentQuota& lent, const PendingAmounts& pending);

void Write(const QuotaFigures& figures, schema::JsonWriter& w);

}  // namespace berth::query
