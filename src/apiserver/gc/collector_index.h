#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/storage/storage.h"
#include "json/json.h"

namespace berth::apiserver {

// An entry of metadata.ownerReferences.
struct OwnerRef {
  std::string group;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks_deletion = false;  // foreground deletion of the owner waits for this object
};

std::vector<OwnerRef> OwnersOf(const json::value& object);

// Maps owners, by uid, to their dependents and back.
class OwnerIndex {
 public:
  // Sets the current owners of an object; an empty list removes it.
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
