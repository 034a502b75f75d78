#pragma once

#include <span>
#include <string_view>

#include "schema/describe.h"

// Every kind of object that Berth knows.
namespace berth::api {

// In the order of their groups, the core group first.
std::span<const schema::Kind* const> AllKinds();

struct FoundKind {
  const schema::Kind* kind = nullptr;  // null if there is none
  bool is_former = false;              // the version that was asked for is a former one

  explicit operator bool() const { return kind != nullptr; }
};

// By what stands in an object: "batch/v1", "Job".
FoundKind FindKind(std::string_view api_version, std::string_view kind);

// By what stands in a URL: "batch", "v1", "jobs". The core group is "". Kinds that are only
// envelopes (Status, List and the like) have no URL.
FoundKind FindResource(std::string_view group, std::string_view version, std::string_view plural);

}  // namespace berth::api
