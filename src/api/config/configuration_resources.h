#pragma once

// Resources section of the Configuration: requests charged against quota.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/resource_prefix.h"
#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

class FeatureGates;

// Whether requests for resources that a ClusterQueue does not declare block admission.
inline constexpr std::string_view kQuotaCheckAll = "All";
inline constexpr std::string_view kQuotaCheckOnlyDeclared = "OnlyDeclared";
inline constexpr std::string_view kQuotaChecks[] = {kQuotaCheckAll, kQuotaCheckOnlyDeclared};
// Kueue's values for the same.
inline constexpr std::string_view kBlockUndeclared = "BlockUndeclared";
inline constexpr std::string_view kIgnoreUndeclared = "IgnoreUndeclared";
inline constexpr std::string_view kQuotaCheckStrategies[] = {kBlockUndeclared, kIgnoreUndeclared};

inline constexpr std::string_view kRetain = "Retain";
inline constexpr std::string_view kReplace = "Replace";
inline constexpr std::string_view kTransformationStrategies[] = {kRetain, kReplace};

// Maps a requested resource to other resources.
struct ResourceTransformation {
  std::string input;
  std::string strategy;
  std::string multiply_by;
  base::FlatMap<quantity::Quantity> outputs;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceTransformation&, const ResourceTransformation&) = default;
};

struct CelSelectorSettings {
  std::string expression;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CelSelectorSettings&, const CelSelectorSettings&) = default;
};

struct DeviceSelectorSettings {
  std::optional<CelSelectorSettings> cel;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceSelectorSettings&, const DeviceSelectorSettings&) = default;
};

// A counter or capacity that a driver publishes for its devices.
struct DeviceSourceSettings {
  std::string name;
  std::string driver;
  DeviceSelectorSettings device_selector;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceSourceSettings&, const DeviceSourceSettings&) = default;
};

// Exactly one member is set.
struct DeviceClassSource {
  std::optional<DeviceSourceSettings> counter;
  std::optional<DeviceSourceSettings> capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceClassSource&, const DeviceClassSource&) = default;
};

// Device classes charged as one resource in all queues.
struct DeviceClassMapping {
  std::string name;
  std::vector<std::string> device_class_names;
  std::vector<DeviceClassSource> sources;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceClassMapping&, const DeviceClassMapping&) = default;
};

struct ResourcesSettings {
  std::optional<std::string> quota_check;           // one of kQuotaChecks
  std::optional<std::string> quota_check_strategy;  // one of kQuotaCheckStrategies
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<ResourceTransformation> transformations;
  std::vector<DeviceClassMapping> device_class_mappings;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourcesSettings&, const ResourcesSettings&) = default;
};

// Whether undeclared resources are ignored: quotaCheck is OnlyDeclared and the gate QuotaCheck is
// on, or quotaCheckStrategy is IgnoreUndeclared and Kueue's gate QuotaCheckStrategy is on. Apart
// from validation, the only reader of the two fields.
bool ChecksOnlyDeclared(const std::optional<ResourcesSettings>& resources,
                        const FeatureGates& gates);

// How excludeResourcePrefixes of the Configuration matches: as in Kueue, and like the lists of
// ClusterQueues once the gate ClusterQueueResourceExclusion is on.
PrefixMatch MatchOfConfiguredPrefixes(const FeatureGates& gates);

}  // namespace berth::api

// Compiled once, in configuration_resources.cc.
extern template class std::vector<berth::api::DeviceClassMapping>;
extern template class std::vector<berth::api::DeviceClassSource>;
extern template class std::vector<berth::api::ResourceTransformation>;
