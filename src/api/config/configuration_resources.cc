#include "api/config/configuration_resources.h"

#include "api/config/feature_gates.h"

namespace berth::api {

using schema::Member;

bool ChecksOnlyDeclared(const std::optional<ResourcesSettings>& resources,
                        const FeatureGates& gates) {
  if (!resources) return false;
  return (gates.IsOn(Gate::kQuotaCheck) && resources->quota_check == kQuotaCheckOnlyDeclared) ||
         (gates.IsOn(Gate::kQuotaCheckStrategy) &&
          resources->quota_check_strategy == kIgnoreUndeclared);
}

PrefixMatch MatchOfConfiguredPrefixes(const FeatureGates& gates) {
  return gates.IsOn(Gate::kClusterQueueResourceExclusion) ? PrefixMatch::kWholeSegments
                                                          : PrefixMatch::kBytes;
}

const schema::Struct& ResourceTransformation::Description() {
  using Self = ResourceTransformation;
  static constexpr schema::Field kFields[] = {
      Member<&Self::input>("input", "Requested resource."),
      Member<&Self::strategy>(
          "strategy", "Whether the input is charged as well (Retain) or replaced (Replace).")
          .Default("\"Retain\""),
      Member<&Self::multiply_by>("multiplyBy", "Requested resource that multiplies the outputs."),
      Member<&Self::outputs>("outputs", "Resources charged for one unit of the input."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "ResourceTransformation",
      "ResourceTransformation maps a requested resource to other resources.", kFields);
  return kStruct;
}

const schema::Struct& CelSelectorSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CelSelectorSettings::expression>("expression",
                                               "CEL expression that must be true for the device."),
  };
  static constexpr auto kStruct = schema::Describe<CelSelectorSettings>(
      "CELDeviceSelector", "CELDeviceSelector selects devices by a CEL expression.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSelectorSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSelectorSettings::cel>("cel", "Selection by a CEL expression."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceSelectorSettings>(
      "DeviceSelector", "DeviceSelector selects devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSourceSettings::Description() {
  using Self = DeviceSourceSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "Name of the counter or capacity published by the driver."),
      Member<&Self::driver>("driver", "Driver whose ResourceSlices are read."),
      Member<&Self::device_selector>("deviceSelector", "Selection among the driver's devices."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "DeviceSource", "DeviceSource is a number that a driver publishes for its devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClassSource::Description() {
  using Self = DeviceClassSource;
  static constexpr schema::Field kFields[] = {
      Member<&Self::counter>("counter", "Counter consumed by partitions of a device."),
      Member<&Self::capacity>("capacity", "Capacity shared by several claims."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "DeviceClassSource",
      "DeviceClassSource is the amount charged instead of the number of devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClassMapping::Description() {
  using Self = DeviceClassMapping;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "Resource declared by queues and charged for the devices."),
      Member<&Self::device_class_names>("deviceClassNames",
                                        "Device classes charged as the resource."),
      Member<&Self::sources>("sources", "Amounts charged instead of the number of devices.").New(),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "DeviceClassMapping", "DeviceClassMapping maps device classes to one resource.", kFields);
  return kStruct;
}

const schema::Struct& ResourcesSettings::Description() {
  using Self = ResourcesSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::quota_check>(
          "quotaCheck",
          "All, or OnlyDeclared to ignore resources that a queue does not declare. Needs the gate "
          "QuotaCheck."),
      Member<&Self::quota_check_strategy>(
          "quotaCheckStrategy",
          "Kueue's name of quotaCheck: BlockUndeclared is All, IgnoreUndeclared is OnlyDeclared.")
          .New(),
      Member<&Self::exclude_resource_prefixes>(
          "excludeResourcePrefixes",
          "Prefixes of names of resources that are never charged. Without effect where undeclared "
          "resources are ignored."),
      Member<&Self::transformations>("transformations",
                                     "Mappings of requested resources to other resources."),
      Member<&Self::device_class_mappings>(
          "deviceClassMappings", "Mappings of device classes to resources, for all queues."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "Resources", "Resources configures the requests charged against quota.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceClassMapping>;
template class std::vector<berth::api::DeviceClassSource>;
template class std::vector<berth::api::ResourceTransformation>;
