#pragma once

// Quota of resources by flavor. Shared by ClusterQueues and Cohorts.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

// Kinds of counted resources. Core resources have no kind.
inline constexpr std::string_view kDeviceClass = "DeviceClass";
inline constexpr std::string_view kResourceKinds[] = {kDeviceClass};

struct ResourceQuota {
  std::string name;  // resource; for kind DeviceClass, the group of classes
  quantity::Quantity nominal_quota;
  std::optional<quantity::Quantity> borrowing_limit;
  std::optional<quantity::Quantity> lending_limit;
  std::optional<std::string> kind;
  std::optional<std::vector<std::string>> device_class_names;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceQuota&, const ResourceQuota&) = default;
};

struct FlavorQuotas {
  std::string name;  // ResourceFlavor
  std::vector<ResourceQuota> resources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FlavorQuotas&, const FlavorQuotas&) = default;
};

// Flavors that provide the same resources, in the order in which they are tried.
struct ResourceGroup {
  std::vector<std::string> covered_resources;
  std::vector<FlavorQuotas> flavors;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceGroup&, const ResourceGroup&) = default;
};

}  // namespace berth::api

// Compiled once, in resource_group.cc.
extern template class std::vector<berth::api::FlavorQuotas>;
extern template class std::vector<berth::api::ResourceGroup>;
extern template class std::vector<berth::api::ResourceQuota>;
