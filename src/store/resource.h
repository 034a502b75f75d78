#pragma once

#include <string>

#include "schema/describe.h"

namespace berth::store {

// Identifies a kind of object, as URLs (group, version, plural) and objects (apiVersion, kind) name
// it. A value, so that kinds known only at run time work the same way.
struct Resource {
  std::string group;  // "" for the core group
  std::string version;
  std::string plural;  // as in URLs: "jobs"
  std::string kind;    // as in objects: "Job"
  bool is_namespaced = false;

  // "batch/v1", "v1".
  std::string ApiVersion() const;
  // "jobs.batch", "pods"; used in messages.
  std::string GroupResource() const;

  friend bool operator==(const Resource&, const Resource&) = default;
  friend auto operator<=>(const Resource&, const Resource&) = default;
};

// The current version of a described kind.
Resource ResourceOf(const schema::Kind& kind);

template <class T>
Resource ResourceOf() {
  return ResourceOf(T::KindInfo());
}

}  // namespace berth::store
