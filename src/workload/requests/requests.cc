#include "workload/requests/requests.h"

#include <algorithm>

#include "quantity/amount.h"

namespace berth::workload {

Requests ToRequests(const api::ResourceList& list) {
  Requests requests;
  for (const auto& [name, quantity] : list) {
    requests.Set(name, quantity::RequestAmount(name, quantity));
  }
  return requests;
}

int32_t CountAfterReclaim(int32_t count, int32_t reclaimable) {
  return count - std::clamp(reclaimable, 0, std::max(count, 0));
}

void AddTo(Requests& sum, const Requests& other) {
  for (const auto& [name, amount] : other) {
    int64_t& own = sum[name];
    own = quantity::SaturatingAdd(own, amount);
  }
}

Requests Sum(std::span<const PodSetTotals> pod_sets) {
  Requests sum;
  for (const PodSetTotals& pod_set : pod_sets) AddTo(sum, pod_set.requests);
  return sum;
}

api::ResourceList ToQuantities(const Requests& requests,
                               const quantity::AmountFormatter& formatter) {
  api::ResourceList list;
  for (const auto& [name, amount] : requests) list.Set(name, formatter.ToQuantity(name, amount));
  return list;
}

}  // namespace berth::workload
