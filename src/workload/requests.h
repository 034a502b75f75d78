#pragma once

// Amounts by resource, in the counts that quota is kept in: thousandths of cpu, whole units of
// everything else (quantity/resource_amount.h).

#include <cstdint>
#include <span>
#include <string>

#include "api/resource_requirements.h"
#include "base/flat_map.h"
#include "quantity/resource_amount.h"

namespace berth::workload {

using Requests = base::FlatMap<int64_t>;

// Each quantity rounded away from zero, held to the limits of int64.
Requests ToRequests(const api::ResourceList& list);

// What all pods of a set ask for together.
struct PodSetTotals {
  std::string name;
  int32_t count = 0;  // of pods, without those that are reclaimable
  Requests requests = {};
  // The part of them that the pods share, and that stays the same if there are fewer.
  Requests shared = {};

  friend bool operator==(const PodSetTotals&, const PodSetTotals&) = default;
};

// How many pods of a set still need quota. More reclaimable than there are leaves none.
int32_t CountAfterReclaim(int32_t count, int32_t reclaimable);

// Sums that end at the limits of int64.
void AddTo(Requests& sum, const Requests& other);
Requests Sum(std::span<const PodSetTotals> pod_sets);

// As `status.resourceRequests` has it.
api::ResourceList ToQuantities(const Requests& requests,
                               const quantity::AmountFormatter& formatter);

}  // namespace berth::workload
