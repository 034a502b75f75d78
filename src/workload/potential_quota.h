#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "engine/quota/quota_forest.h"
#include "quantity/amount.h"

namespace berth::workload {

// Upper bounds of quota: what a ClusterQueue could use if all other queues were idle, which is its
// nominal quota and all that its limits and those of its cohorts allow to borrow.
class PotentialQuota {
 public:
  struct Bound {
    quantity::Amount nominal;
    quantity::Amount most;  // with borrowing
  };

  // All queues and cohorts of the tree; they must be valid. Of several with one name the last
  // counts.
  PotentialQuota(std::span<const api::ClusterQueue* const> queues,
                 std::span<const api::Cohort* const> cohorts);

  // Nullopt if there is no bound: the queue is unknown or below a cycle of cohorts. Zero for a
  // flavor and resource without quota in the tree.
  std::optional<Bound> Find(std::string_view queue, std::string_view flavor,
                            std::string_view resource);

 private:
  // Null if the tree has no such quota.
  const engine::Cell* CellOf(engine::NodeId queue, std::string_view flavor,
                             std::string_view resource);
  // None if the queue is unknown or below a cycle of cohorts.
  engine::NodeId NodeOf(std::string_view queue) const;

  engine::QuotaForest forest_;
};

}  // namespace berth::workload
