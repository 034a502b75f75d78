#include "api/device_class.h"

#include "api/device_configuration.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& DeviceClassSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClassSpec::selectors>("selectors", "Conditions that must all hold."),
      Carried("config", kCarriedStructs<&DeviceClassConfigurationShape>,
              "Settings of the devices."),
      Member<&DeviceClassSpec::extended_resource_name>(
          "extendedResourceName", "Resource name with which pods can ask for such devices."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceClassSpec>(
      "DeviceClassSpec", "Which devices are in a class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClass::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClass::metadata>("metadata", "Name, labels and the like."),
      Member<&DeviceClass::spec>("spec", "Which devices are in the class.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<DeviceClass>(
      "DeviceClass", "A class of devices that requests can name.", kFields);
  return kStruct;
}

const schema::Kind& DeviceClass::KindInfo() {
  static constexpr std::string_view kFormerVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "DeviceClass",
      .plural = "deviceclasses",
      .structure = &DeviceClass::Description,
      .former_versions = kFormerVersions,
  };
  return kKind;
}

}  // namespace berth::api
