#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/dra/device_request.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct DeviceClassSpec {
  std::vector<DeviceSelector> selectors;
  std::optional<std::string> extended_resource_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceClassSpec&, const DeviceClassSpec&) = default;
};

struct DeviceClass {
  ObjectMeta metadata;
  DeviceClassSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

}  // namespace berth::api
