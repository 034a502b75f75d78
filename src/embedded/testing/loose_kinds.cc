#include "embedded/testing/loose_kinds.h"

#include <algorithm>

#include "api/meta/registry.h"
#include "embedded/testing/live_cluster.h"
#include "json/json.h"
#include "json/path.h"

namespace berth::embedded::testing {
namespace {

struct Default {
  std::string_view kind;
  std::string_view path;  // in the object; [] is every element
  std::string_view value;
};
constexpr Default kDefaults[] = {
    {"JobSet", "spec.replicatedJobs[].groupName", "\"default\""},
    {"LeaderWorkerSet", "spec.leaderWorkerTemplate.restartPolicy", "\"RecreateGroupOnPodRestart\""},
    {"RayCluster", "spec.workerGroupSpecs[].numOfHosts", "1"},
    {"RayCluster", "spec.workerGroupSpecs[].priority", "0"},
    {"RayJob", "spec.backoffLimit", "0"},
    {"RayJob", "spec.submissionMode", "\"K8sJobMode\""},
    {"RayJob", "spec.ttlSecondsAfterFinished", "0"},
    {"RayJob", "spec.rayClusterSpec.workerGroupSpecs[].numOfHosts", "1"},
    {"RayJob", "spec.rayClusterSpec.workerGroupSpecs[].priority", "0"},
};

json::value AnyObject() {
  return json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
}

// The schema of the member `name`, created as an object if it is missing.
json::value& MemberOf(json::value& schema, std::string_view name) {
  json::value& properties = schema.as_object()["properties"];
  if (!properties.is_object()) properties.emplace_object();
  json::value& member = properties.get_object()[json::BoostView(name)];
  if (!member.is_object()) member = AnyObject();
  return member;
}

json::value& ElementOf(json::value& schema) {
  json::object& list = schema.get_object();
  list["type"] = "array";
  list.erase("x-kubernetes-preserve-unknown-fields");
  json::value& items = list["items"];
  if (!items.is_object()) items = AnyObject();
  return items;
}

void AddDefault(std::string_view path, const json::value& value, json::value& schema) {
  const size_t dot = path.find('.');
  std::string_view name = path.substr(0, dot);
  const bool is_list = name.ends_with("[]");
  if (is_list) name.remove_suffix(2);
  json::value* at = &MemberOf(schema, name);
  if (is_list) at = &ElementOf(*at);
  if (dot != path.npos) return AddDefault(path.substr(dot + 1), value, *at);
  *at = json::object{{"type", value.is_string() ? "string" : "integer"}, {"default", value}};
}

json::value SchemaOf(std::string_view kind) {
  json::value schema = AnyObject();
  for (const Default& one : kDefaults)
    if (one.kind == kind) AddDefault(one.path, json::Parse(one.value).value(), schema);
  return schema;
}

}  // namespace

std::string LooseDefinition(std::string_view kind) {
  if (std::ranges::any_of(api::AllKinds(),
                          [&](const schema::Kind* known) { return known->kind == kind; }))
    return "";
  const store::Resource resource = ResourceOfKind(kind);
  const json::object version{{"name", resource.version},
                             {"served", true},
                             {"storage", true},
                             {"subresources", json::object{{"status", json::object()}}},
                             {"schema", json::object{{"openAPIV3Schema", SchemaOf(kind)}}}};
  const json::object names{{"kind", resource.kind}, {"plural", resource.plural}};
  const json::object definition{{"apiVersion", "apiextensions.k8s.io/v1"},
                                {"kind", "CustomResourceDefinition"},
                                {"metadata", json::object{{"name", resource.GroupResource()}}},
                                {"spec", json::object{{"group", resource.group},
                                                      {"scope", "Namespaced"},
                                                      {"names", names},
                                                      {"versions", json::array{version}}}}};
  return json::Print(definition);
}

}  // namespace berth::embedded::testing
