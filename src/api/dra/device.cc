#include "api/dra/device.h"

#include "api/meta/carried_types.h"
#include "schema/decode.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedBool;
using schema::kCarriedQuantity;
using schema::kCarriedString;
using schema::kCarriedStrings;
using schema::kCarriedStruct;
using schema::kCarriedStructs;
using schema::kCarriedTime;
using schema::Member;

const schema::Struct& DeviceAttribute::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceAttribute::int_>("int", "Integer value."),
      Member<&DeviceAttribute::bool_>("bool", "Boolean value."),
      Member<&DeviceAttribute::string>("string", "Text."),
      Member<&DeviceAttribute::version>("version", "Semantic version."),
      Carried("ints", kCarriedInt64s, "Integer values."),
      Carried("bools", kCarriedBools, "Boolean values."),
      Carried("strings", kCarriedStrings, "String values."),
      Carried("versions", kCarriedStrings, "Semantic versions."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceAttribute>(
      "DeviceAttribute", "DeviceAttribute is a property of a device.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& RangeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("min", kCarriedQuantity, "Minimum amount."),
      Carried("max", kCarriedQuantity, "Maximum amount."),
      Carried("step", kCarriedQuantity, "Step between amounts above the minimum."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "CapacityRequestPolicyRange", "CapacityRequestPolicyRange is a range of amounts.", kFields);
  return kStruct;
}

const schema::Struct& RequestPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("default", kCarriedQuantity, "Amount if none is requested."),
      Carried("validValues", kCarriedQuantities, "Valid amounts."),
      Carried("validRange", kCarriedStruct<&RangeShape>, "Range of valid amounts."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "CapacityRequestPolicy", "CapacityRequestPolicy decides which amounts can be requested.",
      kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeviceCapacity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceCapacity::value>("value", "Available amount.").Required(),
      Carried("requestPolicy", kCarriedStruct<&RequestPolicyShape>,
              "Policy for requested amounts."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceCapacity>(
      "DeviceCapacity", "DeviceCapacity is a capacity of a device.", kFields);
  return kStruct;
}

const schema::Struct& Counter::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Counter::value>("value", "Available amount.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<Counter>("Counter", "Counter is an amount shared by devices.", kFields);
  return kStruct;
}

const schema::Struct& CounterSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CounterSet::name>("name", "Name by which devices refer to the set.").Required(),
      Member<&CounterSet::counters>("counters", "Counters of the set."),
  };
  static constexpr auto kStruct = schema::Describe<CounterSet>(
      "CounterSet", "CounterSet is a set of counters shared by devices.", kFields);
  return kStruct;
}

const schema::Struct& DeviceCounterConsumption::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceCounterConsumption::counter_set>("counterSet", "Name of the counter set.")
          .Required(),
      Member<&DeviceCounterConsumption::counters>("counters",
                                                  "Amounts consumed from the counters."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceCounterConsumption>(
      "DeviceCounterConsumption",
      "DeviceCounterConsumption is the consumption of shared counters by a device.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& DeviceTaintShape() {
  static constexpr schema::Field kFields[] = {
      Carried("key", kCarriedString, "Key of the taint.").Required(),
      Carried("value", kCarriedString, "Value of the taint."),
      Carried("effect", kCarriedString, "None, NoSchedule or NoExecute.").Required(),
      Carried("timeAdded", kCarriedTime, "Time at which the taint was added."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceTaint", "DeviceTaint repels requests that do not tolerate it.", kFields);
  return kStruct;
}

const schema::Struct& MappingShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capacityKey", kCarriedString, "Capacity that determines the amount."),
      Carried("allocationMultiplier", kCarriedQuantity, "Amount per unit."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeAllocatableResourceMapping",
      "NodeAllocatableResourceMapping maps a device to a resource of the node.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& BasicDevice::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&BasicDevice::attributes>("attributes", "Attributes of the device, by name."),
      Member<&BasicDevice::capacity>("capacity", "Capacities of the device, by name."),
      Member<&BasicDevice::consumes_counters>("consumesCounters",
                                              "Consumption of shared counters."),
      Member<&BasicDevice::node_name>("nodeName", "Node that can use the device."),
      Member<&BasicDevice::node_selector>("nodeSelector", "Nodes that can use the device."),
      Member<&BasicDevice::all_nodes>("allNodes", "Whether all nodes can use the device."),
      Carried("taints", kCarriedStructs<&DeviceTaintShape>, "Taints of the device."),
      Carried("bindsToNode", kCarriedBool, "Whether the allocation binds the claim to the node."),
      Carried("bindingConditions", kCarriedStrings, "Conditions required before pods are bound."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that make binding fail."),
      Member<&BasicDevice::allow_multiple_allocations>(
          "allowMultipleAllocations", "Whether several requests can share the device."),
      Carried("nodeAllocatableResourceMappings", kCarriedStructMap<&MappingShape>,
              "Node resources consumed by the device."),
  };
  static constexpr auto kStruct =
      schema::Describe<BasicDevice>("BasicDevice", "BasicDevice is a device in v1beta1.", kFields);
  return kStruct;
}

namespace {

// A capacity of a previous version: an object, or a plain quantity in v1alpha3.
std::optional<DeviceCapacity> ReadCapacity(const std::string& json) {
  const bool is_object = json.starts_with('{');
  auto capacity = schema::Decode<DeviceCapacity>(is_object ? json : "{\"value\":" + json + "}");
  return capacity ? std::optional(*std::move(capacity)) : std::nullopt;
}

// Moves valid capacities; invalid ones remain, for validation to report.
void MoveCapacities(base::FlatMap<schema::Json>& from, base::FlatMap<DeviceCapacity>& to) {
  base::FlatMap<schema::Json> wrong;
  for (const auto& [name, json] : from) {
    if (auto capacity = ReadCapacity(json.text)) {
      to.Set(name, *std::move(capacity));
    } else {
      wrong.Set(name, json);
    }
  }
  from = std::move(wrong);
}

void UpgradeDevice(void* self) {
  auto& device = *static_cast<Device*>(self);
  if (!device.previous_basic) return;
  BasicDevice basic = std::move(*device.previous_basic);
  MoveCapacities(basic.capacity, device.capacity);
  device.attributes = std::move(basic.attributes);
  device.consumes_counters = std::move(basic.consumes_counters);
  device.node_name = std::move(basic.node_name);
  device.node_selector = std::move(basic.node_selector);
  device.all_nodes = basic.all_nodes;
  device.allow_multiple_allocations = basic.allow_multiple_allocations;
  if (!device.extra.members.empty() && !basic.extra.members.empty()) device.extra.members += ",";
  device.extra.members += basic.extra.members;
  device.previous_basic.reset();
  if (!basic.capacity.empty()) device.previous_basic = {.capacity = std::move(basic.capacity)};
}

constexpr schema::Rule kDeviceRules[] = {
    schema::Must<[](const Device& device) { return !device.previous_basic; }>(
        "true", "each capacity must be a quantity such as \"40Gi\" or an object with such a value"),
};

}  // namespace

const schema::Struct& Device::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Device::name>("name", "Name, unique in the pool.").Required(),
      Member<&Device::attributes>("attributes", "Attributes of the device, by name."),
      Member<&Device::capacity>("capacity", "Capacities of the device, by name."),
      Member<&Device::consumes_counters>("consumesCounters", "Consumption of shared counters."),
      Member<&Device::node_name>("nodeName", "Node that can use the device."),
      Member<&Device::node_selector>("nodeSelector", "Nodes that can use the device."),
      Member<&Device::all_nodes>("allNodes", "Whether all nodes can use the device."),
      Carried("taints", kCarriedStructs<&DeviceTaintShape>, "Taints of the device."),
      Carried("bindsToNode", kCarriedBool, "Whether the allocation binds the claim to the node."),
      Carried("bindingConditions", kCarriedStrings, "Conditions required before pods are bound."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that make binding fail."),
      Member<&Device::allow_multiple_allocations>("allowMultipleAllocations",
                                                  "Whether several requests can share the device."),
      Carried("nodeAllocatableResourceMappings", kCarriedStructMap<&MappingShape>,
              "Node resources consumed by the device."),
      Member<&Device::previous_basic>("basic", "Fields of the device in v1beta1.").Previous(),
  };
  static constexpr auto kStruct =
      schema::Describe<Device>("Device", "Device is a device offered by a driver.", kFields,
                               kDeviceRules)
          .Upgrade(&UpgradeDevice);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CounterSet>;
template class std::vector<berth::api::Device>;
template class std::vector<berth::api::DeviceCounterConsumption>;
