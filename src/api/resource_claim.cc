#include "api/resource_claim.h"

#include "api/device_configuration.h"
#include "api/list_keys.h"

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
      Member<&DeviceConstraint::requests>("requests", "Requests that it is about; all if empty."),
      Member<&DeviceConstraint::match_attribute>("matchAttribute", "Attribute that must be equal."),
      Member<&DeviceConstraint::distinct_attribute>("distinctAttribute",
                                                    "Attribute that must differ."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceConstraint>(
      "DeviceConstraint", "What devices of several requests must have in common.", kFields);
  return kStruct;
}

const schema::Struct& DeviceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceClaim::requests>("requests", "What is wanted."),
      Member<&DeviceClaim::constraints>("constraints", "What the devices must have in common."),
      Carried("config", kCarriedStructs<&DeviceClaimConfigurationShape>,
              "Settings of the devices."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceClaim>("DeviceClaim", "What a claim asks for.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimSpec::devices>("devices", "The devices."),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceClaimSpec>("ResourceClaimSpec", "What a claim asks for.", kFields);
  return kStruct;
}

const schema::Struct& DeviceRequestAllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceRequestAllocationResult::request>(
          "request", "Request, or request/subrequest, that it is for.")
          .Required(),
      Member<&DeviceRequestAllocationResult::driver>("driver", "Driver of the device.").Required(),
      Member<&DeviceRequestAllocationResult::pool>("pool", "Pool of the device.").Required(),
      Member<&DeviceRequestAllocationResult::device>("device", "Name of the device in the pool.")
          .Required(),
      Member<&DeviceRequestAllocationResult::admin_access>(
          "adminAccess", "Whether it is for administration only."),
      Member<&DeviceRequestAllocationResult::tolerations>("tolerations",
                                                          "Taints that are put up with."),
      Carried("bindingConditions", kCarriedStrings, "Conditions to wait for."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that end the waiting."),
      Member<&DeviceRequestAllocationResult::share_id>("shareID", "Which share of the device."),
      Member<&DeviceRequestAllocationResult::consumed_capacity>("consumedCapacity",
                                                                "How much of the device."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceRequestAllocationResult>(
      "DeviceRequestAllocationResult", "A device that was given.", kFields);
  return kStruct;
}

const schema::Struct& DeviceAllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceAllocationResult::results>("results", "The devices."),
      Carried("config", kCarriedStructs<&DeviceAllocationConfigurationShape>, "Their settings."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceAllocationResult>(
      "DeviceAllocationResult", "Devices that were given.", kFields);
  return kStruct;
}

const schema::Struct& AllocationResult::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&AllocationResult::devices>("devices", "The devices."),
      Member<&AllocationResult::node_selector>("nodeSelector",
                                               "Nodes that can use them; all if absent."),
      Member<&AllocationResult::allocation_timestamp>("allocationTimestamp",
                                                      "When they were given."),
  };
  static constexpr auto kStruct =
      schema::Describe<AllocationResult>("AllocationResult", "What a claim got.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaimConsumerReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimConsumerReference::api_group>("apiGroup", "Group of the user."),
      Member<&ResourceClaimConsumerReference::resource>("resource",
                                                        "Resource of the user, such as pods.")
          .Required(),
      Member<&ResourceClaimConsumerReference::name>("name", "Name of the user.").Required(),
      Member<&ResourceClaimConsumerReference::uid>("uid", "UID of the user.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimConsumerReference>(
      "ResourceClaimConsumerReference", "Who may use the claim.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& NetworkDataShape() {
  static constexpr schema::Field kFields[] = {
      Carried("interfaceName", kCarriedString, "Its interface."),
      Carried("ips", kCarriedStrings, "Its addresses."),
      Carried("hardwareAddress", kCarriedString, "Its hardware address."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("NetworkDeviceData", "A network device.", kFields);
  return kStruct;
}

const schema::Struct& AllocatedDeviceShape() {
  static constexpr schema::Field kFields[] = {
      Carried("driver", kCarriedString, "Driver of the device.").Required(),
      Carried("pool", kCarriedString, "Pool of the device.").Required(),
      Carried("device", kCarriedString, "Name of the device in the pool.").Required(),
      Carried("shareID", kCarriedString, "Which share of the device."),
      Carried("conditions", kCarriedStructs<&Condition::Description>, "State of the device.")
          .MapBy(kByType),
      Carried("data", kCarriedJson, "Anything that the driver has to tell."),
      Carried("networkData", kCarriedStruct<&NetworkDataShape>, "Of a network device."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "AllocatedDeviceStatus", "What a driver tells about a device.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ResourceClaimStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaimStatus::allocation>("allocation", "What it got."),
      Member<&ResourceClaimStatus::reserved_for>("reservedFor", "Who may use it.")
          .MapBy(kByUid)
          .PatchBy("uid"),
      Carried("devices", kCarriedStructs<&AllocatedDeviceShape>,
              "What drivers tell about the devices."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceClaimStatus>(
      "ResourceClaimStatus", "What a claim got, and who uses it.", kFields);
  return kStruct;
}

const schema::Struct& ResourceClaim::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceClaim::metadata>("metadata", "Name, labels and the like."),
      Member<&ResourceClaim::spec>("spec", "What it asks for.").Required(),
      Member<&ResourceClaim::status>("status", "What it got, and who uses it."),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceClaim>("ResourceClaim", "A wish for devices.", kFields);
  return kStruct;
}

const schema::Kind& ResourceClaim::KindInfo() {
  static constexpr std::string_view kFormerVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceClaim",
      .plural = "resourceclaims",
      .is_namespaced = true,
      .structure = &ResourceClaim::Description,
      .former_versions = kFormerVersions,
      .has_status = true,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::DeviceConstraint>;
template class std::vector<berth::api::DeviceRequestAllocationResult>;
template class std::vector<berth::api::ResourceClaimConsumerReference>;
