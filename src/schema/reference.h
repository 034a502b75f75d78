#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"

// The fields of a described struct as a reference for users.
namespace berth::schema {

struct ReferenceField {
  std::string path;  // "waitForPodsReady.timeout"; "resources.transformations[].input" in lists
  std::string_view name;
  std::string type;     // "list of strings"
  std::string section;  // the path of the struct that it holds; "" if it holds none
  std::string_view default_json;
  std::string doc;  // with a note on v1beta1, where the field differs there
};

struct ReferenceSection {
  std::string path;  // "" of the root
  std::string_view doc;
  std::vector<ReferenceField> fields;
};

// One section for each struct, depth first. A struct that several fields hold is described at the
// first of them.
std::vector<ReferenceSection> ReferenceOf(const Struct& root);

}  // namespace berth::schema
