#include "api/dra/device_configuration.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedJson;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;

namespace {

const schema::Struct& OpaqueShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Driver that interprets the parameters.").Required(),
      Carried("parameters", kCarriedJson, "Driver-specific parameters.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "OpaqueDeviceConfiguration",
      "OpaqueDeviceConfiguration is configuration interpreted by the driver.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeviceClassConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Driver-specific configuration."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceClassConfiguration",
      "DeviceClassConfiguration is configuration of the devices of a class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClaimConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("requests", kCarriedStrings,
              "Requests that the configuration applies to. If absent, all."),
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Driver-specific configuration."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceClaimConfiguration",
      "DeviceClaimConfiguration is configuration of the devices of a claim.", kFields);
  return kStruct;
}

const schema::Struct& DeviceAllocationConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("source", kCarriedString, "FromClass or FromClaim.").Required(),
      Carried("requests", kCarriedStrings,
              "Requests that the configuration applies to. If absent, all."),
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Driver-specific configuration."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceAllocationConfiguration",
      "DeviceAllocationConfiguration is configuration of allocated devices.", kFields);
  return kStruct;
}

}  // namespace berth::api
