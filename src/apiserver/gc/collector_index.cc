#include "apiserver/gc/collector_index.h"

#include <algorithm>
#include <utility>

namespace berth::apiserver {

std::vector<OwnerRef> OwnersOf(const json::value& object) {
  std::vector<OwnerRef> owners;
  const json::value* found = json::Find(object, {"metadata", "ownerReferences"});
  if (found == nullptr || !found->is_array()) return owners;
  for (const json::value& owner : found->get_array()) {
    const std::string_view api_version = json::StringAt(owner, {"apiVersion"});
    const size_t slash = api_version.find('/');
    const json::value* blocks = json::Find(owner, {"blockOwnerDeletion"});
    owners.push_back(
        {.group = std::string(slash == std::string_view::npos ? "" : api_version.substr(0, slash)),
         .kind = std::string(json::StringAt(owner, {"kind"})),
         .name = std::string(json::StringAt(owner, {"name"})),
         .uid = std::string(json::StringAt(owner, {"uid"})),
         .blocks_deletion = blocks != nullptr && blocks->is_bool() && blocks->get_bool()});
  }
  return owners;
}

void OwnerIndex::Set(const ObjectId& object, const std::vector<OwnerRef>& owners) {
  if (const auto previous = owners_.extract(object); !previous.empty()) {
    for (const std::string& uid : previous.mapped()) {
      const auto entry = dependents_.find(uid);
      entry->second.erase(object);
      if (entry->second.empty()) dependents_.erase(entry);
    }
  }
  if (owners.empty()) return;
  std::vector<std::string> uids;
  for (const OwnerRef& owner : owners)
    if (std::ranges::find(uids, owner.uid) == uids.end()) uids.push_back(owner.uid);
  for (const std::string& uid : uids) dependents_[uid].insert(object);
  owners_.emplace(object, std::move(uids));
}

std::vector<ObjectId> OwnerIndex::DependentsOf(std::string_view uid) const {
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

void OwnerIndex::Clear() {
  owners_.clear();
  dependents_.clear();
}

}  // namespace berth::apiserver
