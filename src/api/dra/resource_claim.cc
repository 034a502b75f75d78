#include "api/dra/resource_claim.h"

#include "api/dra/device_configuration.h"
#include "api/meta/list_keys.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedJson;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& DeviceConstraint::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceConstraint::requests>(
          "requests", "Requests that the constraint applies to. If empty, all."),
      Member<&DeviceConstraint::match_attribute>("matchAttribute",
                                                 "Attribute that must be equal for all devices."),
      Member<&DeviceConstraint::distinct_attribute>(
          "distinctAttribute", "Attribute that must differ between all devices."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceConstraint>(
      "DeviceConstraint", "DeviceConstraint constrains the devices of several requests.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClaim::requests>("requests", "Requests for devices."),
      Member<&DeviceClaim::constraints>("constraints", "Constraints on the devices."),
      Carried("config", kCarriedStructs<&DeviceClaimConfigurationShape>,
              "Configuration of the devices."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceClaim>(
      "DeviceClaim", "DeviceClaim describes the requested devices.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimSpec::devices>("devices", "Requested devices."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimSpec>(
      "ResourceClaimSpec", "ResourceClaimSpec describes the requested devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceRequestAllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceRequestAllocationResult::request>(
          "request", "Request, or request/subrequest, that the device satisfies.")
          .Required(),
      Member<&DeviceRequestAllocationResult::driver>("driver", "Driver of the device.").Required(),
      Member<&DeviceRequestAllocationResult::pool>("pool", "Pool of the device.").Required(),
      Member<&DeviceRequestAllocationResult::device>("device", "Name of the device in the pool.")
          .Required(),
      Member<&DeviceRequestAllocationResult::admin_access>(
          "adminAccess", "Whether access is for administration only."),
      Member<&DeviceRequestAllocationResult::tolerations>("tolerations", "Tolerated taints."),
      Carried("bindingConditions", kCarriedStrings, "Conditions required before pods are bound."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that make binding fail."),
      Member<&DeviceRequestAllocationResult::share_id>("shareID", "ID of the share of the device."),
      Member<&DeviceRequestAllocationResult::consumed_capacity>("consumedCapacity",
                                                                "Consumed capacity of the device."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceRequestAllocationResult>(
      "DeviceRequestAllocationResult", "DeviceRequestAllocationResult is an allocated device.",
      kFields);
  return kStruct;
}

const schema::Struct& DeviceAllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceAllocationResult::results>("results", "Allocated devices."),
      Carried("config", kCarriedStructs<&DeviceAllocationConfigurationShape>,
              "Configuration of the devices."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceAllocationResult>(
      "DeviceAllocationResult", "DeviceAllocationResult lists the allocated devices.", kFields);
  return kStruct;
}

const schema::Struct& AllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AllocationResult::devices>("devices", "Allocated devices."),
      Member<&AllocationResult::node_selector>("nodeSelector",
                                               "Nodes that can use the devices. If absent, all."),
      Member<&AllocationResult::allocation_timestamp>("allocationTimestamp",
                                                      "Time of the allocation."),
  };
  static constexpr auto kStruct = schema::Describe<AllocationResult>(
      "AllocationResult", "AllocationResult is the allocation of a claim.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimConsumerReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimConsumerReference::api_group>("apiGroup", "Group of the consumer."),
      Member<&ResourceClaimConsumerReference::resource>("resource",
                                                        "Resource of the consumer, such as pods.")
          .Required(),
      Member<&ResourceClaimConsumerReference::name>("name", "Name of the consumer.").Required(),
      Member<&ResourceClaimConsumerReference::uid>("uid", "UID of the consumer.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimConsumerReference>(
      "ResourceClaimConsumerReference",
      "ResourceClaimConsumerReference identifies a consumer of a claim.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& NetworkDataShape() {
  static constexpr schema::Field kFields[] = {
      Carried("interfaceName", kCarriedString, "Name of the interface."),
      Carried("ips", kCarriedStrings, "IP addresses."),
      Carried("hardwareAddress", kCarriedString, "Hardware address."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NetworkDeviceData", "NetworkDeviceData describes a network device.", kFields);
  return kStruct;
}

const schema::Struct& AllocatedDeviceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Driver of the device.").Required(),
      Carried("pool", kCarriedString, "Pool of the device.").Required(),
      Carried("device", kCarriedString, "Name of the device in the pool.").Required(),
      Carried("shareID", kCarriedString, "ID of the share of the device."),
      Carried("conditions", kCarriedStructs<&Condition::Description>, "State of the device.")
          .MapBy(kByType),
      Carried("data", kCarriedJson, "Driver-specific data."),
      Carried("networkData", kCarriedStruct<&NetworkDataShape>, "Details of a network device."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "AllocatedDeviceStatus",
      "AllocatedDeviceStatus is the state of a device as reported by its driver.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ResourceClaimStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimStatus::allocation>("allocation", "Allocation of the claim."),
      Member<&ResourceClaimStatus::reserved_for>("reservedFor", "Consumers of the claim.")
          .MapBy(kByUid)
          .PatchBy("uid"),
      Carried("devices", kCarriedStructs<&AllocatedDeviceShape>,
              "States of the devices as reported by their drivers."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimStatus>(
      "ResourceClaimStatus", "ResourceClaimStatus is the allocation and the consumers of a claim.",
      kFields);
  return kStruct;
}

const schema::Struct& ResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaim::metadata>("metadata", "Standard object metadata."),
      Member<&ResourceClaim::spec>("spec", "Requested devices.").Required(),
      Member<&ResourceClaim::status>("status", "Allocation and consumers."),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceClaim>("ResourceClaim", "ResourceClaim requests devices.", kFields);
  return kStruct;
}

const schema::Kind& ResourceClaim::KindInfo() {
  static constexpr std::string_view kPreviousVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceClaim",
      .plural = "resourceclaims",
      .is_namespaced = true,
      .structure = &ResourceClaim::Description,
      .previous_versions = kPreviousVersions,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceConstraint>;
template class std::vector<berth::api::DeviceRequestAllocationResult>;
template class std::vector<berth::api::ResourceClaimConsumerReference>;
