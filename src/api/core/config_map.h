#pragma once

#include <optional>
#include <string>

#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

struct ConfigMap {
  ObjectMeta metadata;
  std::optional<bool> immutable;
  base::FlatMap<std::string> data;
  base::FlatMap<std::string> binary_data;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ConfigMap&, const ConfigMap&) = default;
};

}  // namespace berth::api
