#include "api/configuration_resources.h"

#include "api/feature_gates.h"

namespace berth::api {

using schema::Member;

bool ChecksOnlyDeclared(const std::optional<ResourcesSettings>& resources,
                        const FeatureGates& gates) {
  if (!resources || !gates.IsOn(Gate::kQuotaCheck)) return false;
  return resources->quota_check == kQuotaCheckOnlyDeclared ||
         (resources->quota_check_strategy == kIgnoreUndeclared &&
          gates.IsOn(Gate::kQuotaCheckStrategy));
}

const schema::Struct& ResourceTransformation::Description() {
  using Self = ResourceTransformation;
  static constexpr schema::Field kFields[] = {
      Member<&Self::input>("input", "Requested resource."),
      Member<&Self::strategy>("strategy", "Whether the input counts as well (Retain) or not.")
          .Default("\"Retain\""),
      Member<&Self::multiply_by>("multiplyBy", "Requested resource that multiplies the outputs."),
      Member<&Self::outputs>("outputs", "What counts for one unit of the input."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "ResourceTransformation", "Turns a requested resource into others.", kFields);
  return kStruct;
}

const schema::Struct& CelSelectorSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CelSelectorSettings::expression>("expression", "CEL that is true of the device."),
  };
  static constexpr auto kStruct =
      schema::Describe<CelSelectorSettings>("CELDeviceSelector", "Selects by CEL.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSelectorSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSelectorSettings::cel>("cel", "Selects by an expression."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceSelectorSettings>("DeviceSelector", "Selects devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSourceSettings::Description() {
  using Self = DeviceSourceSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "Counter or capacity, as the driver calls it."),
      Member<&Self::driver>("driver", "Driver whose ResourceSlices are read."),
      Member<&Self::device_selector>("deviceSelector", "Which of the driver's devices."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "DeviceSource", "A number that a driver publishes for its devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClassSource::Description() {
  using Self = DeviceClassSource;
  static constexpr schema::Field kFields[] = {
      Member<&Self::counter>("counter", "Counter that partitions of a device consume."),
      Member<&Self::capacity>("capacity", "Capacity that several claims share."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("DeviceClassSource", "What is counted in place of devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClassMapping::Description() {
  using Self = DeviceClassMapping;
  static constexpr schema::Field kFields[] = {
      Member<&Self::name>("name", "Resource that queues declare and that is charged."),
      Member<&Self::device_class_names>("deviceClassNames", "Device classes that count as it."),
      Member<&Self::sources>("sources", "What is counted in place of devices.").New(),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "DeviceClassMapping", "Device classes that count as one resource.", kFields);
  return kStruct;
}

const schema::Struct& ResourcesSettings::Description() {
  using Self = ResourcesSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::quota_check>(
          "quotaCheck", "All, or OnlyDeclared to skip resources a queue does not declare."),
      Member<&Self::quota_check_strategy>(
          "quotaCheckStrategy",
          "Kueue's spelling: BlockUndeclared is All, IgnoreUndeclared is "
          "OnlyDeclared.")
          .New(),
      Member<&Self::exclude_resource_prefixes>("excludeResourcePrefixes",
                                               "Resources whose names begin so never count."),
      Member<&Self::transformations>("transformations", "Turn requested resources into others."),
      Member<&Self::device_class_mappings>("deviceClassMappings",
                                           "Device classes that count as resources in all queues."),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("Resources", "Which requests count against quota.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceClassMapping>;
template class std::vector<berth::api::DeviceClassSource>;
template class std::vector<berth::api::ResourceTransformation>;
