#include "store/previous_version.h"

#include <string>
#include <utility>

#include "api/kueue/topology_assignment.h"
#include "schema/decode.h"

namespace berth::store {
namespace {

void Move(json::object& from, std::string_view name, json::object& to, std::string_view new_name) {
  const auto found = from.find(json::BoostView(name));
  if (found == from.end()) return;
  json::value value = std::move(found->value());
  from.stable_erase(found);
  to[json::BoostView(new_name)] = std::move(value);
}

// --- Changes of shape ---------------------------------------------------------------------------

// A priority class was named by name and source.
void UnfoldPriorityClass(json::object& spec) {
  const auto found = spec.find("priorityClassRef");
  if (found == spec.end()) return;
  const json::value reference = found->value();
  const std::string_view kind = json::StringAt(reference, {"kind"});
  const bool is_workloads = kind == "WorkloadPriorityClass";
  if (!is_workloads && kind != "PriorityClass") return;
  spec["priorityClassName"] = json::BoostView(json::StringAt(reference, {"name"}));
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

// Topology domains were listed one by one.
void UnfoldDomains(json::object& assignment) {
  const auto typed = schema::Decode<api::TopologyAssignment>(json::Print(assignment));
  if (!typed) return;
  json::array domains;
  for (const api::TopologyDomain& domain : api::UnpackTopologyAssignment(*typed)) {
    json::array values;
    for (const std::string& value : domain.values) values.emplace_back(json::BoostView(value));
    domains.push_back(json::object{{"values", std::move(values)}, {"count", domain.count}});
  }
  assignment["domains"] = std::move(domains);
}

// A request for devices of one class had the class in its own fields.
void UnfoldExactRequest(json::object& request) {
  const auto found = request.find("exactly");
  if (found == request.end() || !found->value().is_object()) return;
  const json::object exactly = found->value().get_object();
  request.stable_erase(found);
  for (const auto& [key, value] : exactly) request[key] = value;
}

// All fields of a device but its name were nested in `basic`.
void FoldBasicDevice(json::object& device) {
  json::object basic = std::exchange(device, {});
  Move(basic, "name", device, "name");
  device["basic"] = std::move(basic);
}

struct PreviousShape {
  std::string_view structure;
  void (*restore)(json::object& object);
};
constexpr PreviousShape kPreviousShapes[] = {
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
    const auto found = object.find(json::BoostView(field.name));
    if (found != object.end()) RestoreValue(*field.type, found->value());
  }
  for (const PreviousShape& shape : kPreviousShapes)
    if (shape.structure == type.name) shape.restore(object);
  for (const schema::Field& field : type.fields) {
    if (field.is_new) object.stable_erase(json::BoostView(field.name));
    if (!field.previous_name.empty()) Move(object, field.name, object, field.previous_name);
  }
}

}  // namespace

bool HasPreviousForm(const schema::Kind& kind, std::string_view version) {
  const bool is_only_a_name = kind.group == "resource.k8s.io" && version == "v1beta2";
  return version != kind.version && !is_only_a_name;
}

void ConvertToPrevious(const schema::Kind& kind, std::string_view version, json::value& object) {
  if (!object.is_object()) return;
  if (HasPreviousForm(kind, version)) RestoreStruct(kind.structure(), object);
  const std::string group = kind.group.empty() ? "" : std::string(kind.group) + "/";
  object.get_object()["apiVersion"] = json::BoostView(group + std::string(version));
}

}  // namespace berth::store
