#include "control/reconcile/workload_owners.h"

namespace berth::control {

void WorkloadOwners::OnUpsert(std::string_view name, const api::Workload& workload) {
  for (const api::OwnerReference& owner : workload.metadata.owner_references)
    by_uid_[owner.uid].emplace(name);
}

void WorkloadOwners::OnDelete(std::string_view name, const api::Workload& workload) {
  for (const api::OwnerReference& owner : workload.metadata.owner_references) {
    const auto owned = by_uid_.find(owner.uid);
    if (owned == by_uid_.end()) continue;
    owned->second.erase(std::string(name));
    if (owned->second.empty()) by_uid_.erase(owned);
  }
}

const std::set<std::string, std::less<>>& WorkloadOwners::Of(std::string_view uid) const {
  static const std::set<std::string, std::less<>> kNone;
  const auto owned = by_uid_.find(uid);
  return owned == by_uid_.end() ? kNone : owned->second;
}

}  // namespace berth::control
