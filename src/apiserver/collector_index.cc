#include "apiserver/collector_index.h"

#include <algorithm>
#include <utility>

namespace berth::apiserver {

namespace json = store::json;

std::vector<OwnerRef> OwnersOf(const json::value& object) {
  std::vector<OwnerRef> owners;
  const json::value* found = store::FindJson(object, {"metadata", "ownerReferences"});
  if (found == nullptr || !found->is_array()) return owners;
  for (const json::value& owner : found->get_array()) {
    const std::string_view api_version = store::JsonStringAt(owner, {"apiVersion"});
    const size_t slash = api_version.find('/');
    const json::value* blocks = store::FindJson(owner, {"blockOwnerDeletion"});
    owners.push_back(
        {.group = std::string(slash == std::string_view::npos ? "" : api_version.substr(0, slash)),
         .kind = std::string(store::JsonStringAt(owner, {"kind"})),
         .name = std::string(store::JsonStringAt(owner, {"name"})),
         .uid = std::string(store::JsonStringAt(owner, {"uid"})),
         .blocks_deletion = blocks != nullptr && blocks->is_bool() && blocks->get_bool()});
  }
  return owners;
}

void OwnerIndex::Set(const ObjectId& object, const std::vector<OwnerRef>& owners) {
  if (const auto former = owners_.extract(object); !former.empty()) {
    for (const std::string& uid : former.mapped()) {
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
