#include "api/device.h"

#include "api/carried_types.h"
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
      Member<&DeviceAttribute::int_>("int", "A number."),
      Member<&DeviceAttribute::bool_>("bool", "A truth value."),
      Member<&DeviceAttribute::string>("string", "Text."),
      Member<&DeviceAttribute::version>("version", "A semantic version."),
      Carried("ints", kCarriedInt64s, "Numbers."),
      Carried("bools", kCarriedBools, "Truth values."),
      Carried("strings", kCarriedStrings, "Texts."),
      Carried("versions", kCarriedStrings, "Semantic versions."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceAttribute>("DeviceAttribute", "A property of a device.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& RangeShape() {
  static constexpr schema::Field kFields[] = {
      Carried("min", kCarriedQuantity, "The least."),
      Carried("max", kCarriedQuantity, "The most."),
      Carried("step", kCarriedQuantity, "Amounts are multiples of it above the least."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("CapacityRequestPolicyRange", "A range of amounts.", kFields);
  return kStruct;
}

const schema::Struct& RequestPolicyShape() {
  static constexpr schema::Field kFields[] = {
      Carried("default", kCarriedQuantity, "Amount if none is asked for."),
      Carried("validValues", kCarriedQuantities, "Amounts that are possible."),
      Carried("validRange", kCarriedStruct<&RangeShape>, "Range of amounts that are possible."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("CapacityRequestPolicy", "Which amounts can be asked for.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& DeviceCapacity::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceCapacity::value>("value", "How much.").Required(),
      Carried("requestPolicy", kCarriedStruct<&RequestPolicyShape>,
              "Which amounts can be asked for."),
  };
  static constexpr auto kStruct =
      schema::Describe<DeviceCapacity>("DeviceCapacity", "An amount that a device has.", kFields);
  return kStruct;
}

const schema::Struct& Counter::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Counter::value>("value", "How much.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<Counter>("Counter", "An amount.", kFields);
  return kStruct;
}

const schema::Struct& CounterSet::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CounterSet::name>("name", "Name that devices refer to.").Required(),
      Member<&CounterSet::counters>("counters", "The amounts."),
  };
  static constexpr auto kStruct =
      schema::Describe<CounterSet>("CounterSet", "Amounts that devices share.", kFields);
  return kStruct;
}

const schema::Struct& DeviceCounterConsumption::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&DeviceCounterConsumption::counter_set>("counterSet", "The shared counters.")
          .Required(),
      Member<&DeviceCounterConsumption::counters>("counters", "How much it takes."),
  };
  static constexpr auto kStruct = schema::Describe<DeviceCounterConsumption>(
      "DeviceCounterConsumption", "What a device takes from shared counters.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& DeviceTaintShape() {
  static constexpr schema::Field kFields[] = {
      Carried("key", kCarriedString, "Name of the taint.").Required(),
      Carried("value", kCarriedString, "Its value."),
      Carried("effect", kCarriedString, "None, NoSchedule or NoExecute.").Required(),
      Carried("timeAdded", kCarriedTime, "When it was put on."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "DeviceTaint", "Keeps requests away that do not tolerate it.", kFields);
  return kStruct;
}

const schema::Struct& MappingShape() {
  static constexpr schema::Field kFields[] = {
      Carried("capacityKey", kCarriedString, "Capacity that says how much."),
      Carried("allocationMultiplier", kCarriedQuantity, "How much for each unit."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "NodeAllocatableResourceMapping", "A node resource that a device takes.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& BasicDevice::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&BasicDevice::attributes>("attributes", "What the device is like, by attribute name."),
      Member<&BasicDevice::capacity>("capacity", "What it has, by capacity name."),
      Member<&BasicDevice::consumes_counters>("consumesCounters",
                                              "What it takes from shared counters."),
      Member<&BasicDevice::node_name>("nodeName", "The node that can use it."),
      Member<&BasicDevice::node_selector>("nodeSelector", "Nodes that can use it."),
      Member<&BasicDevice::all_nodes>("allNodes", "Whether all nodes can use it."),
      Carried("taints", kCarriedStructs<&DeviceTaintShape>,
              "What keeps requests away that do not tolerate it."),
      Carried("bindsToNode", kCarriedBool, "Whether using it fixes the node."),
      Carried("bindingConditions", kCarriedStrings,
              "Conditions to wait for before a pod is placed."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that end the waiting."),
      Member<&BasicDevice::allow_multiple_allocations>("allowMultipleAllocations",
                                                       "Whether several requests can share it."),
      Carried("nodeAllocatableResourceMappings", kCarriedStructMap<&MappingShape>,
              "Node resources that it takes."),
  };
  static constexpr auto kStruct =
      schema::Describe<BasicDevice>("BasicDevice", "A device in former versions.", kFields);
  return kStruct;
}

namespace {

// A capacity of a former version: an object, or in v1alpha3 just the quantity.
std::optional<DeviceCapacity> ReadCapacity(const std::string& json) {
  const bool is_object = json.starts_with('{');
  auto capacity = schema::Decode<DeviceCapacity>(is_object ? json : "{\"value\":" + json + "}");
  return capacity ? std::optional(*std::move(capacity)) : std::nullopt;
}

// Moves what can be read, so that what is left is wrong.
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
  if (!device.former_basic) return;
  BasicDevice basic = std::move(*device.former_basic);
  MoveCapacities(basic.capacity, device.capacity);
  device.attributes = std::move(basic.attributes);
  device.consumes_counters = std::move(basic.consumes_counters);
  device.node_name = std::move(basic.node_name);
  device.node_selector = std::move(basic.node_selector);
  device.all_nodes = basic.all_nodes;
  device.allow_multiple_allocations = basic.allow_multiple_allocations;
  if (!device.extra.members.empty() && !basic.extra.members.empty()) device.extra.members += ",";
  device.extra.members += basic.extra.members;
  device.former_basic.reset();
  if (!basic.capacity.empty()) device.former_basic = {.capacity = std::move(basic.capacity)};
}

constexpr schema::Rule kRules[] = {
    schema::Must<[](const Device& device) { return !device.former_basic; }>(
        "true", "each capacity must be a quantity such as \"40Gi\" or an object with such a value"),
};

}  // namespace

const schema::Struct& Device::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Device::name>("name", "Name, unique within the pool.").Required(),
      Member<&Device::attributes>("attributes", "What the device is like, by attribute name."),
      Member<&Device::capacity>("capacity", "What it has, by capacity name."),
      Member<&Device::consumes_counters>("consumesCounters", "What it takes from shared counters."),
      Member<&Device::node_name>("nodeName", "The node that can use it."),
      Member<&Device::node_selector>("nodeSelector", "Nodes that can use it."),
      Member<&Device::all_nodes>("allNodes", "Whether all nodes can use it."),
      Carried("taints", kCarriedStructs<&DeviceTaintShape>,
              "What keeps requests away that do not tolerate it."),
      Carried("bindsToNode", kCarriedBool, "Whether using it fixes the node."),
      Carried("bindingConditions", kCarriedStrings,
              "Conditions to wait for before a pod is placed."),
      Carried("bindingFailureConditions", kCarriedStrings, "Conditions that end the waiting."),
      Member<&Device::allow_multiple_allocations>("allowMultipleAllocations",
                                                  "Whether several requests can share it."),
      Carried("nodeAllocatableResourceMappings", kCarriedStructMap<&MappingShape>,
              "Node resources that it takes."),
      Member<&Device::former_basic>("basic", "Now in the device itself.").Former(),
  };
  static constexpr auto kStruct =
      schema::Describe<Device>("Device", "A device that a driver offers.", kFields, kRules)
          .Upgrade(&UpgradeDevice);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::CounterSet>;
template class std::vector<berth::api::Device>;
template class std::vector<berth::api::DeviceCounterConsumption>;
