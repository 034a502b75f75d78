#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/storage.h"
#include "store/json.h"

namespace berth::apiserver {

// One of metadata.ownerReferences.
struct OwnerRef {
  std::string group;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks_deletion = false;  // a foreground deletion of the owner waits for this object
};

std::vector<OwnerRef> OwnersOf(const store::json::value& object);

// Who is owned by whom, by the owners' uids.
class OwnerIndex {
 public:
  // The owners that an object has now; none takes it out.
  void Set(const ObjectId& object, const std::vector<OwnerRef>& owners);
  std::vector<ObjectId> DependentsOf(std::string_view uid) const;
  bool HasDependents(std::string_view uid) const { return dependents_.contains(uid); }
  bool HasOwners(const ObjectId& object) const { return owners_.contains(object); }
  void Clear();

 private:
  std::map<ObjectId, std::vector<std::string>> owners_;
  std::map<std::string, std::set<ObjectId>, std::less<>> dependents_;
};

}  // namespace berth::apiserver
