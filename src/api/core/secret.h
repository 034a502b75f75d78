#pragma once

#include <optional>
#include <string>

#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

// `data` holds base64, as in JSON. `string_data` is plain text, merged into `data` by the API
// server.
struct Secret {
  ObjectMeta metadata;
  std::optional<bool> immutable;
  base::FlatMap<std::string> data;
  base::FlatMap<std::string> string_data;
  std::string type;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Secret&, const Secret&) = default;
};

}  // namespace berth::api
