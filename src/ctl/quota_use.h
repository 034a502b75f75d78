#pragma once

// What queues use of their quota, from their own objects alone.

#include <map>
#include <span>
#include <string>
#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/resource_group.h"
#include "quantity/quantity.h"

namespace berth::ctl {

struct QuotaUse {
  quantity::Quantity nominal;
  quantity::Quantity used;  // quota reserved, also by workloads that are not admitted yet
  quantity::Quantity borrowed;

  void Add(const QuotaUse& other);
};

// By flavor and resource.
using QuotaUses = std::map<std::pair<std::string, std::string>, QuotaUse>;

void AddNominal(std::span<const api::ResourceGroup> groups, QuotaUses& uses);
QuotaUses UsesOf(const api::ClusterQueue& queue);

}  // namespace berth::ctl
