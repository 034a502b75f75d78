#include "api/dra/device_class.h"

#include "api/dra/device_configuration.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& DeviceClassSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClassSpec::selectors>("selectors", "Selectors that must all match."),
      Carried("config", kCarriedStructs<&DeviceClassConfigurationShape>,
              "Configuration of the devices."),
      Member<&DeviceClassSpec::extended_resource_name>(
          "extendedResourceName", "Extended resource by which pods can request the devices."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceClassSpec>(
      "DeviceClassSpec", "DeviceClassSpec selects the devices of a class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClass::metadata>("metadata", "Standard object metadata."),
      Member<&DeviceClass::spec>("spec", "Devices of the class.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<DeviceClass>(
      "DeviceClass", "DeviceClass is a class of devices that requests refer to.", kFields);
  return kStruct;
}

const schema::Kind& DeviceClass::KindInfo() {
  static constexpr std::string_view kPreviousVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "DeviceClass",
      .plural = "deviceclasses",
      .structure = &DeviceClass::Description,
      .previous_versions = kPreviousVersions,
  };
  return kKind;
}

}  // namespace berth::api
