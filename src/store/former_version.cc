#include "store/former_version.h"

#include <string>
#include <utility>

#include "api/topology_assignment.h"
#include "schema/decode.h"

namespace berth::store {
namespace {

void Move(json::object& from, std::string_view name, json::object& to, std::string_view new_name) {
  const auto found = from.find(BoostView(name));
  if (found == from.end()) return;
  json::value value = std::move(found->value());
  from.stable_erase(found);
  to[BoostView(new_name)] = std::move(value);
}

// --- What is more than another name -------------------------------------------------------------

// A class was named by its name and a word for where it comes from.
void UnfoldPriorityClass(json::object& spec) {
  const auto found = spec.find("priorityClassRef");
  if (found == spec.end()) return;
  const json::value reference = found->value();
  const std::string_view kind = JsonStringAt(reference, {"kind"});
  const bool is_workloads = kind == "WorkloadPriorityClass";
  if (!is_workloads && kind != "PriorityClass") return;
  spec["priorityClassName"] = BoostView(JsonStringAt(reference, {"name"}));
  spec["priorityClassSource"] =
      is_workloads ? "kueue.x-k8s.io/workloadpriorityclass" : "scheduling.k8s.io/priorityclass";
}

void UnfoldClusterSource(json::object& spec) {
  const auto found = spec.find("clusterSource");
  if (found == spec.end() || !found->value().is_object()) return;
  json::object source = found->value().get_object();
  Move(source, "kubeConfig", spec, "kubeConfig");
  Move(source, "clusterProfileRef", spec, "clusterProfileRef");
}

// Domains were listed one by one.
void UnfoldDomains(json::object& assignment) {
  const auto typed = schema::Decode<api::TopologyAssignment>(PrintJson(assignment));
  if (!typed) return;
  json::array domains;
  for (const api::TopologyDomain& domain : api::UnpackTopologyAssignment(*typed)) {
    json::array values;
    for (const std::string& value : domain.values) values.emplace_back(BoostView(value));
    domains.push_back(json::object{{"values", std::move(values)}, {"count", domain.count}});
  }
  assignment["domains"] = std::move(domains);
}

// A request for devices of one class said so in its own fields.
void UnfoldExactRequest(json::object& request) {
  const auto found = request.find("exactly");
  if (found == request.end() || !found->value().is_object()) return;
  const json::object exactly = found->value().get_object();
  request.stable_erase(found);
  for (const auto& [key, value] : exactly) request[key] = value;
}

// All but a device's name stood in a part of its own.
void FoldBasicDevice(json::object& device) {
  json::object basic = std::exchange(device, {});
  Move(basic, "name", device, "name");
  device["basic"] = std::move(basic);
}

struct FormerShape {
  std::string_view structure;
  void (*restore)(json::object& object);
};
constexpr FormerShape kFormerShapes[] = {
    {"WorkloadSpec", &UnfoldPriorityClass}, {"MultiKueueClusterSpec", &UnfoldClusterSource},
    {"TopologyAssignment", &UnfoldDomains}, {"DeviceRequest", &UnfoldExactRequest},
    {"Device", &FoldBasicDevice},
};

// --- The walk -----------------------------------------------------------------------------------

void RestoreStruct(const schema::Struct& type, json::value& value);

void RestoreValue(const schema::Type& type, json::value& value) {
  if (type.shape == schema::Shape::kStruct) return RestoreStruct(type.structure(), value);
  if (type.element == nullptr) return;
  if (value.is_array())
    for (json::value& item : value.get_array()) RestoreValue(*type.element, item);
  if (value.is_object())
    for (auto& entry : value.get_object()) RestoreValue(*type.element, entry.value());
}

void RestoreStruct(const schema::Struct& type, json::value& value) {
  if (!value.is_object()) return;
  json::object& object = value.get_object();
  for (const schema::Field& field : type.fields) {
    const auto found = object.find(BoostView(field.name));
    if (found != object.end()) RestoreValue(*field.type, found->value());
  }
  for (const FormerShape& shape : kFormerShapes)
    if (shape.structure == type.name) shape.restore(object);
  for (const schema::Field& field : type.fields) {
    if (field.is_new) object.stable_erase(BoostView(field.name));
    if (!field.former_name.empty()) Move(object, field.name, object, field.former_name);
  }
}

}  // namespace

bool HasFormerForm(const schema::Kind& kind, std::string_view version) {
  const bool is_only_a_name = kind.group == "resource.k8s.io" && version == "v1beta2";
  return version != kind.version && !is_only_a_name;
}

void TurnIntoFormer(const schema::Kind& kind, std::string_view version, json::value& object) {
  if (!object.is_object()) return;
  if (HasFormerForm(kind, version)) RestoreStruct(kind.structure(), object);
  const std::string group = kind.group.empty() ? "" : std::string(kind.group) + "/";
  object.get_object()["apiVersion"] = BoostView(group + std::string(version));
}

}  // namespace berth::store
