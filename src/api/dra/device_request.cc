#include "api/dra/device_request.h"

namespace berth::api {

using schema::Member;

const schema::Struct& CelDeviceSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CelDeviceSelector::expression>("expression",
                                             "CEL expression that must be true for the device.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<CelDeviceSelector>(
      "CelDeviceSelector", "CelDeviceSelector selects devices by a CEL expression.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSelector::cel>("cel", "Selection by a CEL expression."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceSelector>(
      "DeviceSelector", "DeviceSelector selects devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceToleration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceToleration::key>(
          "key", "Key of the tolerated taint. Empty with Exists tolerates all."),
      Member<&DeviceToleration::op>("operator", "Exists or Equal.").Default("\"Equal\""),
      Member<&DeviceToleration::value>("value", "Value that the taint must have."),
      Member<&DeviceToleration::effect>("effect", "Tolerated effect. Empty tolerates all."),
      Member<&DeviceToleration::toleration_seconds>(
          "tolerationSeconds", "Seconds for which a NoExecute taint is tolerated."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceToleration>(
      "DeviceToleration", "DeviceToleration allows devices with a matching taint.", kFields);
  return kStruct;
}

const schema::Struct& CapacityRequirements::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CapacityRequirements::requests>("requests",
                                              "Requested amounts, by name of the capacity."),
  };
  static constexpr auto kStruct = schema::Describe<CapacityRequirements>(
      "CapacityRequirements", "CapacityRequirements is the requested capacity of a device.",
      kFields);
  return kStruct;
}

const schema::Struct& ExactDeviceRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExactDeviceRequest::device_class_name>("deviceClassName",
                                                     "DeviceClass of the devices.")
          .Required(),
      Member<&ExactDeviceRequest::selectors>("selectors", "Selectors that must all match."),
      Member<&ExactDeviceRequest::allocation_mode>("allocationMode", "ExactCount or All.")
          .Default("\"ExactCount\""),
      Member<&ExactDeviceRequest::count>("count",
                                         "Number of devices for ExactCount. Defaults to 1."),
      Member<&ExactDeviceRequest::admin_access>(
          "adminAccess", "Whether devices in use may be allocated too, for administration."),
      Member<&ExactDeviceRequest::tolerations>("tolerations", "Tolerated taints."),
      Member<&ExactDeviceRequest::capacity>("capacity", "Requested capacity of each device."),
  };
  static constexpr auto kStruct = schema::Describe<ExactDeviceRequest>(
      "ExactDeviceRequest", "ExactDeviceRequest requests devices of one class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSubRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSubRequest::name>("name", "Name, unique in the request.").Required(),
      Member<&DeviceSubRequest::device_class_name>("deviceClassName", "DeviceClass of the devices.")
          .Required(),
      Member<&DeviceSubRequest::selectors>("selectors", "Selectors that must all match."),
      Member<&DeviceSubRequest::allocation_mode>("allocationMode", "ExactCount or All.")
          .Default("\"ExactCount\""),
      Member<&DeviceSubRequest::count>("count", "Number of devices for ExactCount. Defaults to 1."),
      Member<&DeviceSubRequest::tolerations>("tolerations", "Tolerated taints."),
      Member<&DeviceSubRequest::capacity>("capacity", "Requested capacity of each device."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceSubRequest>(
      "DeviceSubRequest", "DeviceSubRequest is one of several alternatives.", kFields);
  return kStruct;
}

namespace {

void UpgradeDeviceRequest(void* self) {
  auto& request = *static_cast<DeviceRequest*>(self);
  // Requests with alternatives have an empty class in v1beta1 and v1alpha3.
  if (!request.exactly && !request.previous_device_class_name.empty()) {
    request.exactly = ExactDeviceRequest{
        .device_class_name = std::move(request.previous_device_class_name),
        .selectors = std::move(request.previous_selectors),
        .allocation_mode = std::move(request.previous_allocation_mode),
        .count = request.previous_count,
        .admin_access = request.previous_admin_access,
        .tolerations = std::move(request.previous_tolerations),
        .capacity = std::move(request.previous_capacity),
    };
  }
  request.previous_device_class_name.clear();
  request.previous_selectors.clear();
  request.previous_allocation_mode.clear();
  request.previous_count = 0;
  request.previous_admin_access.reset();
  request.previous_tolerations.clear();
  request.previous_capacity.reset();
}

}  // namespace

const schema::Struct& DeviceRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceRequest::name>("name",
                                   "Name by which containers and constraints refer to the request.")
          .Required(),
      Member<&DeviceRequest::exactly>("exactly", "Request for devices of one class."),
      Member<&DeviceRequest::first_available>("firstAvailable",
                                              "Alternatives in order of preference."),
      Member<&DeviceRequest::previous_device_class_name>("deviceClassName", "Moved to exactly.")
          .Previous(),
      Member<&DeviceRequest::previous_selectors>("selectors", "Moved to exactly.").Previous(),
      Member<&DeviceRequest::previous_allocation_mode>("allocationMode", "Moved to exactly.")
          .Previous(),
      Member<&DeviceRequest::previous_count>("count", "Moved to exactly.").Previous(),
      Member<&DeviceRequest::previous_admin_access>("adminAccess", "Moved to exactly.").Previous(),
      Member<&DeviceRequest::previous_tolerations>("tolerations", "Moved to exactly.").Previous(),
      Member<&DeviceRequest::previous_capacity>("capacity", "Moved to exactly.").Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceRequest>("DeviceRequest",
                                      "DeviceRequest requests devices for one purpose.", kFields)
          .Upgrade(&UpgradeDeviceRequest);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceRequest>;
template class std::vector<berth::api::DeviceSelector>;
template class std::vector<berth::api::DeviceSubRequest>;
template class std::vector<berth::api::DeviceToleration>;
