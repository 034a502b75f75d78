#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/error.h"
#include "store/json.h"

namespace berth::sim {

// A job of any kind, or something else that Berth does not know by itself and that may own one.
struct AnyObject {
  std::string api_version;
  std::string kind;
  api::ObjectMeta metadata;  // as in the tree
  store::json::value tree;
};

// With the namespace "default" and a uid made of its name where it has none.
base::Result<AnyObject> ReadAnyObject(std::string_view api_version, std::string_view kind,
                                      std::string_view json);

// Whether this is a kind that Berth does not know and that is not just misspelt.
bool IsForeignKind(std::string_view api_version, std::string_view kind);
// The kinds that Berth knows, for suggestions.
std::vector<std::string_view> KnownKinds();

// "Job team/train": how files and reports name it.
std::string NameOf(const AnyObject& object);
std::string NameOf(std::string_view kind, std::string_view namespace_name, std::string_view name);

}  // namespace berth::sim
