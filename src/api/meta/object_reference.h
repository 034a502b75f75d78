#pragma once

#include <string>
#include <vector>

#include "schema/describe.h"

namespace berth::api {

// A reference to an object of any kind.
struct ObjectReference {
  std::string kind;
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string api_version;
  std::string resource_version;
  std::string field_path;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};

}  // namespace berth::api

// Compiled once, in object_reference.cc.
extern template class std::vector<berth::api::ObjectReference>;
