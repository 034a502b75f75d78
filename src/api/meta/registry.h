#pragma once

#include <span>
#include <string_view>

#include "schema/describe.h"

// Registry of the kinds known to Berth.
namespace berth::api {

// All kinds, ordered by group; the core group first.
std::span<const schema::Kind* const> AllKinds();

struct FoundKind {
  const schema::Kind* kind = nullptr;  // null if not found
  bool is_previous = false;            // the requested version is a previous one

  explicit operator bool() const { return kind != nullptr; }
};

// Finds a kind by the fields of an object: "batch/v1", "Job".
FoundKind FindKind(std::string_view api_version, std::string_view kind);

// Finds a kind by the parts of a URL: "batch", "v1", "jobs". The core group is "". Kinds that are
// not served (Status, List, …) have no URL.
FoundKind FindResource(std::string_view group, std::string_view version, std::string_view plural);

}  // namespace berth::api
