#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/meta/meta.h"
#include "base/error.h"
#include "json/json.h"

namespace berth::scenario {

// A job of any kind, or an object of an unknown kind that may own a job.
struct AnyObject {
  std::string api_version;
  std::string kind;
  api::ObjectMeta metadata;  // as in the tree
  json::value tree;
};

// Fills in the default namespace and a uid, as for stored objects.
base::Result<AnyObject> ReadAnyObject(std::string_view api_version, std::string_view kind,
                                      std::string_view json);

// The pod of a job; absent if the job is none.
std::optional<api::Pod> PodOf(const AnyObject& job);

// Whether the kind is unknown to Berth and not a misspelt known one.
bool IsForeignKind(std::string_view api_version, std::string_view kind);
// All known kinds, for suggestions.
std::vector<std::string_view> KnownKinds();

// "Job team/train", as in files and reports.
std::string NameOf(const AnyObject& object);
std::string NameOf(std::string_view kind, std::string_view namespace_name, std::string_view name);

}  // namespace berth::scenario
