#pragma once

// Devices offered by a driver on a node. See device.h for previous versions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/node_selector.h"
#include "api/dra/device.h"
#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct ResourcePool {
  std::string name;
  int64_t generation = 0;
  int64_t resource_slice_count = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourcePool&, const ResourcePool&) = default;
};

struct ResourceSliceSpec {
  std::string driver;
  ResourcePool pool;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  std::vector<Device> devices;
  std::optional<bool> per_device_node_selection;
  std::vector<CounterSet> shared_counters;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceSliceSpec&, const ResourceSliceSpec&) = default;
};

struct ResourceSlice {
  ObjectMeta metadata;
  ResourceSliceSpec spec;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ResourceSlice&, const ResourceSlice&) = default;
};

}  // namespace berth::api
