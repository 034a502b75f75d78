#pragma once

#include <vector>

#include "api/meta.h"
#include "schema/describe.h"

namespace berth::api {

// Objects of any kinds, as JSON.
struct List {
  ListMeta metadata;
  std::vector<schema::Json> items;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const List&, const List&) = default;
};

}  // namespace berth::api
