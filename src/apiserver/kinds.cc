#include "apiserver/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/meta/registry.h"
#include "schema/crd.h"

namespace berth::apiserver {
namespace {

struct BuiltInFields {
  std::string_view group;
  std::string_view plural;
  std::vector<std::string> fields;
};

// Selectable fields of built-in kinds.
const std::vector<BuiltInFields>& BuiltInSelectable() {
  static const std::vector<BuiltInFields> kFields = {
      {"",
       "events",
       {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name",
        "involvedObject.uid", "involvedObject.apiVersion", "involvedObject.resourceVersion",
        "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"}},
      {"events.k8s.io",
       "events",
       {"regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid",
        "regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath", "reason",
        "reportingController", "type"}},
      {"",
       "pods",
       {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
        "spec.hostNetwork", "status.phase", "status.podIP", "status.nominatedNodeName"}},
      {"", "nodes", {"spec.unschedulable"}},
      {"", "namespaces", {"status.phase"}},
      {"", "secrets", {"type"}},
      {"apps", "replicasets", {"status.replicas"}},
      {"batch", "jobs", {"status.successful"}},
      {"resource.k8s.io", "resourceslices", {"spec.nodeName", "spec.driver"}},
  };
  return kFields;
}

std::vector<std::string> SelectableOf(std::string_view group, std::string_view plural) {
  for (const BuiltInFields& kind : BuiltInSelectable())
    if (kind.group == group && kind.plural == plural) return kind.fields;
  return {};
}

bool HasSpec(const schema::Kind& kind) {
  return std::ranges::any_of(kind.structure().fields,
                             [](const schema::Field& field) { return field.name == "spec"; });
}

// Kinds with a spec but without a generation.
bool CountsGenerations(const schema::Kind& kind) {
  static constexpr std::array<std::string_view, 7> kUncounted = {"Namespace",
                                                                 "Node",
                                                                 "Lease",
                                                                 "LimitRange",
                                                                 "ResourceQuota",
                                                                 "Service",
                                                                 "ResourceClaimTemplate"};
  return HasSpec(kind) && std::ranges::find(kUncounted, kind.kind) == kUncounted.end();
}

std::optional<ScalePaths> ScaleOf(const schema::Kind& kind) {
  static constexpr std::array<std::string_view, 3> kScaled = {"Deployment", "ReplicaSet",
                                                              "StatefulSet"};
  if (kind.group != "apps" || std::ranges::find(kScaled, kind.kind) == kScaled.end())
    return std::nullopt;
  return ScalePaths{.spec_replicas = {"spec", "replicas"},
                    .status_replicas = {"status", "replicas"},
                    .selector = {"spec", "selector"}};
}

KindVersion VersionOf(const schema::Kind& kind, std::string_view name) {
  return {.name = std::string(name),
          .has_status = kind.has_status,
          .scale = ScaleOf(kind),
          .selectable_fields = SelectableOf(kind.group, kind.plural)};
}

StoredKind Describe(const schema::Kind& kind) {
  StoredKind stored{.resource = store::ResourceOf(kind),
                    .collection = {},
                    .described = &kind,
                    .is_custom = kind.group.ends_with(".x-k8s.io"),
                    .has_generation = CountsGenerations(kind),
                    .is_events_v1 = kind.group == "events.k8s.io",
                    .versions = {VersionOf(kind, kind.version)}};
  stored.collection =
      stored.is_events_v1 ? std::string(kEventCollection) : stored.resource.GroupResource();
  for (const std::string_view previous : kind.previous_versions) {
    stored.versions.push_back(VersionOf(kind, previous));
    // As in the CustomResourceDefinition.
    if (stored.is_custom)
      stored.versions.back().deprecation_warning = schema::DeprecationWarning(kind, previous);
  }
  return stored;
}

StoredKind StoredDefinitions() {
  return {.resource = {.group = "apiextensions.k8s.io",
                       .version = "v1",
                       .plural = "customresourcedefinitions",
                       .kind = "CustomResourceDefinition"},
          .collection = std::string(kDefinitionCollection),
          .has_generation = true,
          .versions = {{.name = "v1", .has_status = true}}};
}

// Splits ".spec.replicas" into keys.
std::vector<std::string> PathOf(std::string_view text) {
  std::vector<std::string> path;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const size_t dot = std::min(text.find('.'), text.size());
    if (dot > 0) path.emplace_back(text.substr(0, dot));
    text.remove_prefix(dot);
  }
  return path;
}

std::optional<ScalePaths> ScaleOf(const json::value& version) {
  const json::value* scale = json::Find(version, {"subresources", "scale"});
  if (scale == nullptr) return std::nullopt;
  return ScalePaths{.spec_replicas = PathOf(json::StringAt(*scale, {"specReplicasPath"})),
                    .status_replicas = PathOf(json::StringAt(*scale, {"statusReplicasPath"})),
                    .selector = PathOf(json::StringAt(*scale, {"labelSelectorPath"}))};
}

std::vector<std::string> SelectableOf(const json::value& version) {
  std::vector<std::string> fields;
  const json::value* found = json::Find(version, {"selectableFields"});
  if (found == nullptr || !found->is_array()) return fields;
  for (const json::value& field : found->get_array()) {
    std::string_view path = json::StringAt(field, {"jsonPath"});
    if (path.starts_with('.')) path.remove_prefix(1);
    if (!path.empty()) fields.emplace_back(path);
  }
  return fields;
}

std::string DeprecationOf(const json::value& version, const store::Resource& resource) {
  if (!json::IsTrue(version, "deprecated")) return "";
  const std::string_view text = json::StringAt(version, {"deprecationWarning"});
  return !text.empty() ? std::string(text)
                       : resource.group + "/" + std::string(json::StringAt(version, {"name"})) +
                             " " + resource.kind + " is deprecated";
}

KindVersion VersionOf(const json::value& version, const store::Resource& resource) {
  KindVersion made{.name = std::string(json::StringAt(version, {"name"})),
                   .is_served = json::IsTrue(version, "served"),
                   .has_status = json::Find(version, {"subresources", "status"}) != nullptr,
                   .scale = ScaleOf(version),
                   .selectable_fields = SelectableOf(version),
                   .deprecation_warning = DeprecationOf(version, resource)};
  if (const json::value* schema = json::Find(version, {"schema", "openAPIV3Schema"})) {
    made.openapi = std::make_shared<const json::value>(*schema);
    made.schema = std::make_shared<const StructuralSchema>(made.openapi);
  }
  return made;
}

std::optional<StoredKind> Define(const json::value& definition) {
  const auto name = [&](std::string_view key) {
    return std::string(json::StringAt(definition, {"spec", "names", key}));
  };
  StoredKind kind{
      .resource = {.group = std::string(json::StringAt(definition, {"spec", "group"})),
                   .version = {},
                   .plural = name("plural"),
                   .kind = name("kind"),
                   .is_namespaced = json::StringAt(definition, {"spec", "scope"}) == "Namespaced"},
      .is_custom = true,
      .has_generation = true};
  const json::value* versions = json::Find(definition, {"spec", "versions"});
  if (versions == nullptr || !versions->is_array()) return std::nullopt;
  for (const json::value& version : versions->get_array()) {
    kind.versions.push_back(VersionOf(version, kind.resource));
    if (json::IsTrue(version, "storage")) kind.resource.version = kind.versions.back().name;
  }
  if (kind.resource.version.empty() || kind.resource.plural.empty()) return std::nullopt;
  kind.collection = kind.resource.GroupResource();
  return kind;
}

}  // namespace

const KindVersion* StoredKind::FindVersion(std::string_view name) const {
  const auto found = std::ranges::find(versions, name, &KindVersion::name);
  return found == versions.end() || !found->is_served ? nullptr : &*found;
}

KindTable::KindTable(std::span<const json::value> definitions) {
  for (const schema::Kind* kind : api::AllKinds())
    if (HasObjects(*kind)) kinds_.push_back(Describe(*kind));
  kinds_.push_back(StoredDefinitions());
  std::vector<ServedKind> served = BuiltInKinds();
  for (const json::value& definition : definitions) {
    std::optional<StoredKind> kind = Define(definition);
    if (!kind || Find(kind->resource.group, kind->resource.plural) != nullptr) continue;
    kinds_.push_back(std::move(*kind));
    std::ranges::move(KindsOf(definition), std::back_inserter(served));
  }
  catalog_ = std::make_shared<const Catalog>(std::move(served));
}

const StoredKind* KindTable::Find(std::string_view group, std::string_view plural) const {
  const auto found = std::ranges::find_if(kinds_, [&](const StoredKind& kind) {
    return kind.resource.group == group && kind.resource.plural == plural;
  });
  return found == kinds_.end() ? nullptr : &*found;
}

const StoredKind* KindTable::FindByKind(std::string_view group, std::string_view name) const {
  const auto found = std::ranges::find_if(kinds_, [&](const StoredKind& kind) {
    return kind.resource.group == group && kind.resource.kind == name;
  });
  return found == kinds_.end() ? nullptr : &*found;
}

const StoredKind* KindTable::FindCollection(std::string_view collection) const {
  const auto found = std::ranges::find_if(kinds_, [&](const StoredKind& kind) {
    return kind.collection == collection && !kind.is_events_v1;
  });
  return found == kinds_.end() ? nullptr : &*found;
}

}  // namespace berth::apiserver
