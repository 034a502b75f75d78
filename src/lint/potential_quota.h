#pragma once

#include <optional>
#include <string_view>

#include "engine/quota_forest.h"
#include "lint/catalog.h"
#include "quantity/amount.h"

namespace berth::lint {

// What the ClusterQueues of a catalog could have if nobody else used anything: their own quota and
// all that their limits let them borrow.
class PotentialQuota {
 public:
  // Queues and cohorts must be valid.
  explicit PotentialQuota(const Catalog& catalog);

  // Nullopt if nothing can be said: the queue is unknown or below a cycle of cohorts.
  std::optional<quantity::Amount> Find(std::string_view queue, std::string_view flavor,
                                       std::string_view resource);
  // The same without borrowing.
  std::optional<quantity::Amount> FindOwn(std::string_view queue, std::string_view flavor,
                                          std::string_view resource);

 private:
  // Null where there is none.
  const engine::Cell* CellOf(engine::NodeId queue, std::string_view flavor,
                             std::string_view resource);
  // None if nothing can be said.
  engine::NodeId NodeOf(std::string_view queue) const;

  engine::QuotaForest forest_;
};

}  // namespace berth::lint
