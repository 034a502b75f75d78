#include "ctl/quota_use.h"

namespace berth::ctl {

void QuotaUse::Add(const QuotaUse& other) {
  nominal.Add(other.nominal);
  used.Add(other.used);
  borrowed.Add(other.borrowed);
}

void AddNominal(std::span<const api::ResourceGroup> groups, QuotaUses& uses) {
  for (const api::ResourceGroup& group : groups)
    for (const api::FlavorQuotas& flavor : group.flavors)
      for (const api::ResourceQuota& quota : flavor.resources)
        uses[{flavor.name, quota.name}].nominal.Add(quota.nominal_quota);
}

QuotaUses UsesOf(const api::ClusterQueue& queue) {
  QuotaUses uses;
  AddNominal(queue.spec.resource_groups, uses);
  for (const api::FlavorUsage& flavor : queue.status.flavors_reservation) {
    for (const api::ResourceUsage& usage : flavor.resources) {
      QuotaUse& use = uses[{flavor.name, usage.name}];
      if (usage.total) use.used.Add(*usage.total);
      if (usage.borrowed) use.borrowed.Add(*usage.borrowed);
    }
  }
  return uses;
}

}  // namespace berth::ctl
