#pragma once

// A device offered by a driver (resource.k8s.io).
//
// Previous versions are converted to v1 when read: v1beta2 has the structure of v1; v1beta1 and
// v1alpha3 have all fields but the name in `basic`, and v1alpha3 has capacities as plain
// quantities.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/node_selector.h"
#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

// Exactly one member is set.
struct DeviceAttribute {
  std::optional<int64_t> int_;
  std::optional<bool> bool_;
  std::optional<std::string> string;
  std::optional<std::string> version;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceAttribute&, const DeviceAttribute&) = default;
};

struct DeviceCapacity {
  quantity::Quantity value;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceCapacity&, const DeviceCapacity&) = default;
};

struct Counter {
  quantity::Quantity value;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Counter&, const Counter&) = default;
};

struct CounterSet {
  std::string name;
  base::FlatMap<Counter> counters;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CounterSet&, const CounterSet&) = default;
};

struct DeviceCounterConsumption {
  std::string counter_set;
  base::FlatMap<Counter> counters;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceCounterConsumption&,
                         const DeviceCounterConsumption&) = default;
};

// A device in v1beta1 and v1alpha3. Used only while these are decoded.
struct BasicDevice {
  base::FlatMap<DeviceAttribute> attributes;
  base::FlatMap<schema::Json> capacity;
  std::vector<DeviceCounterConsumption> consumes_counters;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  std::optional<bool> allow_multiple_allocations;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const BasicDevice&, const BasicDevice&) = default;
};

// previous_basic is empty, except for invalid capacities of a previous version, which validation
// reports.
struct Device {
  std::string name;
  base::FlatMap<DeviceAttribute> attributes;
  base::FlatMap<DeviceCapacity> capacity;
  std::vector<DeviceCounterConsumption> consumes_counters;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  std::optional<bool> allow_multiple_allocations;
  std::optional<BasicDevice> previous_basic;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace berth::api

// Compiled once, in device.cc.
extern template class std::vector<berth::api::CounterSet>;
extern template class std::vector<berth::api::Device>;
extern template class std::vector<berth::api::DeviceCounterConsumption>;
