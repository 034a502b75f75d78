#include "workload/state/claim_cache.h"

#include "workload/convert/convert_workload.h"

namespace berth::workload {
namespace {

template <class Key>
void Drop(std::map<Key, std::set<std::string>>& users, const Key& key, const std::string& name) {
  const auto known = users.find(key);
  if (known == users.end()) return;
  known->second.erase(name);
  if (known->second.empty()) users.erase(known);
}

template <class Key>
const std::set<std::string>& FindUsers(const std::map<Key, std::set<std::string>>& users,
                                       const Key& key) {
  static const std::set<std::string> kNone;
  const auto known = users.find(key);
  return known == users.end() ? kNone : known->second;
}

}  // namespace

bool ClaimCache::Upsert(const api::ResourceClaimTemplate& object) {
  return counts_devices_ && claims_.Set(object);
}

bool ClaimCache::Upsert(const api::ResourceClaim& object) {
  return counts_devices_ && claims_.Set(object);
}

std::vector<std::string> ClaimCache::Upsert(const api::DeviceClass& object) {
  if (!counts_extended_resources_) return {};
  return claims_.extended_resources().Set(object);
}

std::vector<std::string> ClaimCache::EraseClass(std::string_view name) {
  return claims_.extended_resources().Erase(name);
}

void ClaimCache::Link(const api::Workload& workload) {
  if (!counts_devices_) return;
  const std::string name = NamespacedName(workload.metadata);
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_))
    users_[claim].insert(name);
  if (!counts_extended_resources_) return;
  for (const std::string& resource : ExtendedResourcesOf(workload.spec.pod_sets))
    requesters_[resource].insert(name);
}

void ClaimCache::Unlink(const api::Workload& workload) {
  if (!counts_devices_) return;
  const std::string name = NamespacedName(workload.metadata);
  for (const ClaimName& claim : ClaimsOf(workload.spec.pod_sets, workload.metadata.namespace_))
    Drop(users_, claim, name);
  if (!counts_extended_resources_) return;
  for (const std::string& resource : ExtendedResourcesOf(workload.spec.pod_sets))
    Drop(requesters_, resource, name);
}

const std::set<std::string>& ClaimCache::UsersOf(const ClaimName& name) const {
  return FindUsers(users_, name);
}

const std::set<std::string>& ClaimCache::UsersOf(const std::string& extended_resource) const {
  return FindUsers(requesters_, extended_resource);
}

schema::Problems ClaimCache::AddDevicesOf(const api::Workload& workload,
                                          std::span<const api::PodSet> pod_sets,
                                          std::span<PodSetDemand> demands) const {
  if (!counts_devices_) return {};
  return AddDevices(pod_sets, workload.metadata.namespace_, claims_, demands);
}

}  // namespace berth::workload
