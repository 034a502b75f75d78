#include "api/device_configuration.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedJson;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;

namespace {

const schema::Struct& OpaqueShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Driver that they are for.").Required(),
      Carried("parameters", kCarriedJson, "The settings.").Required(),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "OpaqueDeviceConfiguration", "Settings that only the driver understands.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeviceClassConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Settings for a driver."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceClassConfiguration", "Settings of all devices of a class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClaimConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("requests", kCarriedStrings, "Requests that they are for; all if absent."),
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Settings for a driver."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceClaimConfiguration", "Settings of a claim's devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceAllocationConfigurationShape() {
  static constexpr schema::Field kFields[] = {
      Carried("source", kCarriedString, "FromClass or FromClaim.").Required(),
      Carried("requests", kCarriedStrings, "Requests that they are for; all if absent."),
      Carried("opaque", kCarriedStruct<&OpaqueShape>, "Settings for a driver."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceAllocationConfiguration", "Settings of allocated devices.", kFields);
  return kStruct;
}

}  // namespace berth::api
