#pragma once

// A device that a driver offers (resource.k8s.io).
//
// Reading the former versions: v1beta2 has the shape of v1; v1beta1 and v1alpha3 have everything
// but the name in `basic`, and v1alpha3 writes a capacity as a plain quantity. All are read as a
// former version, and what was read looks like v1.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/node_selector.h"
#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

// One of the members is set.
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

// A device in v1beta1 and v1alpha3. Exists only while those are being read.
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

// former_basic is empty, except that it keeps capacities of a former version that are neither a
// quantity nor an object with one; validation then says so.
struct Device {
  std::string name;
  base::FlatMap<DeviceAttribute> attributes;
  base::FlatMap<DeviceCapacity> capacity;
  std::vector<DeviceCounterConsumption> consumes_counters;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  std::optional<bool> allow_multiple_allocations;
  std::optional<BasicDevice> former_basic;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace berth::api

// Compiled once, in device.cc.
extern template class std::vector<berth::api::CounterSet>;
extern template class std::vector<berth::api::Device>;
extern template class std::vector<berth::api::DeviceCounterConsumption>;
