#pragma once

#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// A list of objects of any kind, as JSON.
struct List {
  ListMeta metadata;
  std::vector<schema::Json> items;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const List&, const List&) = default;
};

}  // namespace berth::api
