#include "api/device_request.h"

namespace berth::api {

using schema::Member;

const schema::Struct& CelDeviceSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CelDeviceSelector::expression>("expression", "Must be true for the device.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<CelDeviceSelector>(
      "CelDeviceSelector", "A condition on a device, in CEL.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSelector::cel>("cel", "The condition in CEL."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceSelector>("DeviceSelector", "A condition on a device.", kFields);
  return kStruct;
}

const schema::Struct& DeviceToleration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceToleration::key>("key",
                                     "Taint that is tolerated; empty with Exists means all."),
      Member<&DeviceToleration::op>("operator", "Exists or Equal.").Default("\"Equal\""),
      Member<&DeviceToleration::value>("value", "What the taint's value must be."),
      Member<&DeviceToleration::effect>("effect", "Effect that is tolerated; empty means all."),
      Member<&DeviceToleration::toleration_seconds>("tolerationSeconds",
                                                    "How long a NoExecute taint is tolerated."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceToleration>(
      "DeviceToleration", "Lets a request get devices with a taint.", kFields);
  return kStruct;
}

const schema::Struct& CapacityRequirements::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CapacityRequirements::requests>("requests", "Amounts by capacity name."),
  };
  static constexpr auto kStruct = schema::Describe<CapacityRequirements>(
      "CapacityRequirements", "How much of a device is wanted.", kFields);
  return kStruct;
}

const schema::Struct& ExactDeviceRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExactDeviceRequest::device_class_name>("deviceClassName",
                                                     "DeviceClass of the devices.")
          .Required(),
      Member<&ExactDeviceRequest::selectors>("selectors", "Conditions that must all hold."),
      Member<&ExactDeviceRequest::allocation_mode>("allocationMode", "ExactCount or All.")
          .Default("\"ExactCount\""),
      Member<&ExactDeviceRequest::count>("count", "How many, for ExactCount; 1 if absent."),
      Member<&ExactDeviceRequest::admin_access>(
          "adminAccess", "Whether devices in use are given too, for administration."),
      Member<&ExactDeviceRequest::tolerations>("tolerations", "Taints that are put up with."),
      Member<&ExactDeviceRequest::capacity>("capacity", "How much of each device."),
  };
  static constexpr auto kStruct =
      schema::Describe<ExactDeviceRequest>("ExactDeviceRequest", "Devices of one class.", kFields);
  return kStruct;
}

const schema::Struct& DeviceSubRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceSubRequest::name>("name", "Name, unique within the request.").Required(),
      Member<&DeviceSubRequest::device_class_name>("deviceClassName", "DeviceClass of the devices.")
          .Required(),
      Member<&DeviceSubRequest::selectors>("selectors", "Conditions that must all hold."),
      Member<&DeviceSubRequest::allocation_mode>("allocationMode", "ExactCount or All.")
          .Default("\"ExactCount\""),
      Member<&DeviceSubRequest::count>("count", "How many, for ExactCount; 1 if absent."),
      Member<&DeviceSubRequest::tolerations>("tolerations", "Taints that are put up with."),
      Member<&DeviceSubRequest::capacity>("capacity", "How much of each device."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceSubRequest>(
      "DeviceSubRequest", "One of several alternatives.", kFields);
  return kStruct;
}

namespace {

void UpgradeDeviceRequest(void* self) {
  auto& request = *static_cast<DeviceRequest*>(self);
  // Requests with alternatives carry an empty class in the flat versions.
  if (!request.exactly && !request.former_device_class_name.empty()) {
    request.exactly = ExactDeviceRequest{
        .device_class_name = std::move(request.former_device_class_name),
        .selectors = std::move(request.former_selectors),
        .allocation_mode = std::move(request.former_allocation_mode),
        .count = request.former_count,
        .admin_access = request.former_admin_access,
        .tolerations = std::move(request.former_tolerations),
        .capacity = std::move(request.former_capacity),
    };
  }
  request.former_device_class_name.clear();
  request.former_selectors.clear();
  request.former_allocation_mode.clear();
  request.former_count = 0;
  request.former_admin_access.reset();
  request.former_tolerations.clear();
  request.former_capacity.reset();
}

}  // namespace

const schema::Struct& DeviceRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceRequest::name>("name", "Name that containers and constraints refer to.")
          .Required(),
      Member<&DeviceRequest::exactly>("exactly", "Devices of one class."),
      Member<&DeviceRequest::first_available>("firstAvailable",
                                              "Alternatives, the most wanted first."),
      Member<&DeviceRequest::former_device_class_name>("deviceClassName", "Now in exactly.")
          .Former(),
      Member<&DeviceRequest::former_selectors>("selectors", "Now in exactly.").Former(),
      Member<&DeviceRequest::former_allocation_mode>("allocationMode", "Now in exactly.").Former(),
      Member<&DeviceRequest::former_count>("count", "Now in exactly.").Former(),
      Member<&DeviceRequest::former_admin_access>("adminAccess", "Now in exactly.").Former(),
      Member<&DeviceRequest::former_tolerations>("tolerations", "Now in exactly.").Former(),
      Member<&DeviceRequest::former_capacity>("capacity", "Now in exactly.").Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceRequest>("DeviceRequest", "Devices for one purpose.", kFields)
          .Upgrade(&UpgradeDeviceRequest);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceRequest>;
template class std::vector<berth::api::DeviceSelector>;
template class std::vector<berth::api::DeviceSubRequest>;
template class std::vector<berth::api::DeviceToleration>;
