#pragma once

// Amounts by resource in the unit of quota: thousandths of cpu, whole units of everything else
// (quantity/resource_amount.h).

#include <cstdint>
#include <span>
#include <string>

#include "api/core/resource_requirements.h"
#include "base/flat_map.h"
#include "quantity/resource_amount.h"

namespace berth::workload {

using Requests = base::FlatMap<int64_t>;

// Each quantity rounded away from zero, saturated to int64.
Requests ToRequests(const api::ResourceList& list);

// The requests of all pods of a set.
struct PodSetTotals {
  std::string name;
  int32_t count = 0;  // of pods that are not reclaimable
  Requests requests = {};
  // The part of the requests that the pods share; independent of their number.
  Requests shared = {};

  friend bool operator==(const PodSetTotals&, const PodSetTotals&) = default;
};

// The number of pods of a set that still need quota; at least 0.
int32_t CountAfterReclaim(int32_t count, int32_t reclaimable);

// Saturating sums.
void AddTo(Requests& sum, const Requests& other);
Requests Sum(std::span<const PodSetTotals> pod_sets);

// The format of `status.resourceRequests`.
api::ResourceList ToQuantities(const Requests& requests,
                               const quantity::AmountFormatter& formatter);

}  // namespace berth::workload
