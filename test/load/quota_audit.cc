#include "load/quota_audit.h"

#include <algorithm>

#include "api/kueue/cluster_queue.h"
#include "workload/status_changes.h"

namespace berth::load {
namespace {

// Tolerance for sums of decimal fractions.
constexpr double kRounding = 1e-6;

std::string PoolOf(std::string_view cohort, std::string_view flavor, std::string_view resource) {
  return std::string(cohort).append(": ").append(resource).append(" of ").append(flavor);
}

}  // namespace

QuotaAudit::QuotaAudit(const std::vector<api::Object>& objects) {
  for (const api::Object& object : objects) {
    const auto* queue = object.As<api::ClusterQueue>();
    if (queue == nullptr) continue;
    const std::string& name = queue->metadata.name;
    const std::string pool_owner =
        queue->spec.cohort_name ? "cohort " + *queue->spec.cohort_name : "queue " + name;
    cohort_of_[name] = pool_owner;
    for (const api::ResourceGroup& group : queue->spec.resource_groups) {
      for (const api::FlavorQuotas& flavor : group.flavors) {
        for (const api::ResourceQuota& quota : flavor.resources)
          pools_[PoolOf(pool_owner, flavor.name, quota.name)].quota +=
              quota.nominal_quota.ToDouble();
      }
    }
  }
}

void QuotaAudit::Observe(const std::string& name, const api::Workload* workload) {
  for (const auto& [pool, amount] : holdings_[name].amounts) pools_[pool].held -= amount;
  if (workload == nullptr) {
    holdings_.erase(name);
    return;
  }
  Holding& holding = holdings_[name] = HoldingOf(*workload);
  for (const auto& [pool, amount] : holding.amounts) pools_[pool].held += amount;
}

std::string QuotaAudit::Exceeded() const {
  for (const auto& [name, pool] : pools_)
    if (pool.held > pool.quota + kRounding)
      return name + ": " + std::to_string(pool.held) + " is held of " + std::to_string(pool.quota);
  return "";
}

QuotaAudit::Holding QuotaAudit::HoldingOf(const api::Workload& workload) const {
  Holding holding;
  if (!workload.status.admission || !workload::HasReservation(workload) ||
      workload::IsFinished(workload))
    return holding;
  const auto owner = cohort_of_.find(workload.status.admission->cluster_queue);
  if (owner == cohort_of_.end()) return holding;
  for (const api::PodSetAssignment& pods : workload.status.admission->pod_set_assignments) {
    for (const auto& [resource, amount] : pods.resource_usage) {
      const auto* flavor = pods.flavors.Find(resource);
      if (flavor != nullptr)
        holding.amounts.emplace_back(PoolOf(owner->second, *flavor, resource), amount.ToDouble());
    }
  }
  return holding;
}

double QuotaAudit::share_held() const {
  double most = 0;
  std::map<std::string, Pool> sums;  // by resource and flavor
  for (const auto& [name, pool] : pools_) {
    Pool& sum = sums[name.substr(name.find(": "))];
    sum.quota += pool.quota;
    sum.held += pool.held;
  }
  for (const auto& [name, sum] : sums) {
    if (sum.quota > 0) most = std::max(most, sum.held / sum.quota);
  }
  return most;
}

}  // namespace berth::load
