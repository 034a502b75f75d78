#pragma once

#include <optional>
#include <string>

#include "api/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

// Values in `data` are base64, as in JSON; string_data is plain text that the API server moves
// there.
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
