#pragma once

#include <string>

#include "schema/describe.h"

namespace berth::store {

// Which kind of object a request is about: everything that a URL and an object's first two fields
// need. A value, so that kinds which are only known at run time are named the same way.
struct Resource {
  std::string group;  // "" for the core group
  std::string version;
  std::string plural;  // as in URLs: "jobs"
  std::string kind;    // as in objects: "Job"
  bool is_namespaced = false;

  // "batch/v1", "v1".
  std::string ApiVersion() const;
  // "jobs.batch", "pods": how messages name it.
  std::string GroupResource() const;

  friend bool operator==(const Resource&, const Resource&) = default;
  friend auto operator<=>(const Resource&, const Resource&) = default;
};

// Today's version of a described kind.
Resource ResourceOf(const schema::Kind& kind);

template <class T>
Resource ResourceOf() {
  return ResourceOf(T::KindInfo());
}

}  // namespace berth::store
