#include <string>

#include "api/kueue/well_known.h"
#include "base/sha256.h"
#include "jobs/pods/pod_group.h"
#include "schema/encode.h"
#include "schema/json/writer.h"

namespace berth::jobs {
namespace {

constexpr size_t kDigits = 8;

// Absent lists, maps and objects are null in the shape.
template <class List>
void WriteList(schema::JsonWriter& w, std::string_view key, const List& list) {
  w.Key(key);
  if (list.empty()) {
    w.Raw("null");
    return;
  }
  w.BeginArray();
  for (const auto& element : list) w.Raw(schema::Encode(element));
  w.EndArray();
}

void WriteTexts(schema::JsonWriter& w, std::string_view key,
                const base::FlatMap<std::string>& texts) {
  w.Key(key);
  if (texts.empty()) {
    w.Raw("null");
    return;
  }
  w.BeginObject();
  for (const auto& [name, value] : texts) w.Member(name, value);
  w.EndObject();
}

void WriteAmounts(schema::JsonWriter& w, std::string_view key, const api::ResourceList& amounts) {
  w.Key(key);
  if (amounts.empty()) {
    w.Raw("null");
    return;
  }
  w.BeginObject();
  for (const auto& [name, amount] : amounts) w.Member(name, amount.ToString());
  w.EndObject();
}

void WriteContainers(schema::JsonWriter& w, std::string_view key,
                     const std::vector<api::Container>& containers) {
  w.Key(key);
  if (containers.empty()) {
    w.Raw("null");
    return;
  }
  w.BeginArray();
  for (const api::Container& container : containers) {
    w.BeginObject();
    WriteList(w, "ports", container.ports);
    w.Key("resources").BeginObject();
    WriteAmounts(w, "requests", container.resources.requests);
    w.EndObject().EndObject();
  }
  w.EndArray();
}

// The fields that distinguish roles, ordered by name.
std::string Shape(const api::PodSpec& spec) {
  schema::JsonWriter w;
  w.BeginObject().Key("spec").BeginObject();
  w.Key("affinity").Raw(spec.affinity ? schema::Encode(*spec.affinity) : "null");
  WriteContainers(w, "containers", spec.containers);
  WriteContainers(w, "initContainers", spec.init_containers);
  WriteTexts(w, "nodeSelector", spec.node_selector);
  WriteAmounts(w, "overhead", spec.overhead);
  w.Key("priority").Raw(spec.priority ? std::to_string(*spec.priority) : "null");
  WriteList(w, "resourceClaims", spec.resource_claims);
  if (spec.resources) WriteAmounts(w, "resources", spec.resources->requests);
  w.Key("runtimeClassName");
  if (spec.runtime_class_name) {
    w.Value(*spec.runtime_class_name);
  } else {
    w.Raw("null");
  }
  WriteList(w, "tolerations", spec.tolerations);
  WriteList(w, "topologySpreadConstraints", spec.topology_spread_constraints);
  w.EndObject().EndObject();
  return w.Take();
}

}  // namespace

std::string ComputeRoleHash(const api::PodSpec& spec) {
  return base::Sha256Hex(Shape(spec)).substr(0, kDigits);
}

std::string RoleHashOf(const api::Pod& pod) {
  const std::string* known = pod.metadata.annotations.Find(api::kRoleHashAnnotation);
  return known == nullptr ? ComputeRoleHash(pod.spec) : *known;
}

}  // namespace berth::jobs
