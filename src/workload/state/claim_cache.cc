#include "workload/state/claim_cache.h"

#include "workload/convert/convert_workload.h"

namespace berth::workload {

bool ClaimCache::Upsert(const api::ResourceClaimTemplate& object) {
  return counts_devices_ && claims_.Set(object);
}

bool ClaimCache::Upsert(const api::ResourceClaim& object) {
  return counts_devices_ && claims_.Set(object);
}

void ClaimCache::Link(const api::Workload& workload) {
  if (!counts_devices_) return;
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_))
    users_[claim].insert(NamespacedName(workload.metadata));
}

void ClaimCache::Unlink(const api::Workload& workload) {
  if (!counts_devices_) return;
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_)) {
    const auto users = users_.find(claim);
    if (users == users_.end()) continue;
    users->second.erase(NamespacedName(workload.metadata));
    if (users->second.empty()) users_.erase(users);
  }
}

const std::set<std::string>& ClaimCache::UsersOf(const ClaimName& name) const {
  static const std::set<std::string> kNone;
  const auto users = users_.find(name);
  return users == users_.end() ? kNone : users->second;
}

schema::Problems ClaimCache::AddDevicesOf(const api::Workload& workload,
                                          std::span<const api::PodSet> pod_sets,
                                          std::span<PodSetDemand> demands) const {
  if (!counts_devices_) return {};
  return AddDevices(pod_sets, workload.metadata.namespace_, claims_, demands);
}

}  // namespace berth::workload
