#include "apiserver/openapi/schema.h"

#include "api/meta/meta.h"
#include "schema/crd.h"
#include "store/previous_version.h"

namespace berth::apiserver {
namespace {

const json::value& MetadataSchema() {
  static const json::value kSchema =
      json::Parse(schema::OpenApiSchema(api::ObjectMeta::Description())).value_or(json::object());
  return kSchema;
}

json::object TextSchema(std::string_view doc) {
  return {{"description", json::Text(doc)}, {"type", json::Text("string")}};
}

json::array Mark(const store::Resource& resource) {
  json::object mark;
  mark["group"] = json::Text(resource.group);
  mark["kind"] = json::Text(resource.kind);
  mark["version"] = json::Text(resource.version);
  return {mark};
}

// The fields of every object.
void AddCommonFields(json::object& properties) {
  properties["apiVersion"] = TextSchema("Group and version of this object's schema.");
  properties["kind"] = TextSchema("The kind of this object.");
  properties["metadata"] = MetadataSchema();
}

json::value OwnSchema(const ServedKind& kind) {
  const std::string text =
      kind.described == nullptr
          ? kind.schema
          : schema::OpenApiSchema(kind.described->structure(),
                                  store::HasPreviousForm(*kind.described, kind.resource.version));
  return json::Parse(text).value_or(json::object());
}

}  // namespace

std::string SchemaName(const ServedKind& kind) {
  // The group's labels in reverse, like Java packages: "x-k8s.io" is "io.x-k8s".
  std::string group = kind.resource.group.empty() ? "core" : kind.resource.group;
  std::string name;
  while (!group.empty()) {
    const size_t dot = group.rfind('.');
    name += group.substr(dot == std::string::npos ? 0 : dot + 1) + ".";
    group.resize(dot == std::string::npos ? 0 : dot);
  }
  if (kind.resource.group.find('.') == std::string::npos) name = "io.k8s." + name;
  return name + kind.resource.version + "." + kind.resource.kind;
}

std::string SchemaDocument(const ServedKind& kind) {
  json::value schema = OwnSchema(kind);
  if (!schema.is_object()) schema = json::object();
  json::object& root = schema.get_object();
  root["type"] = "object";
  json::value& properties = root["properties"];
  if (!properties.is_object()) properties = json::object();
  AddCommonFields(properties.get_object());
  root["x-kubernetes-group-version-kind"] = Mark(kind.resource);
  return json::Print(schema);
}

void WriteGroupVersionKind(schema::JsonWriter& w, const store::Resource& resource) {
  w.BeginObject().Member("group", resource.group).Member("kind", resource.kind);
  w.Member("version", resource.version).EndObject();
}

}  // namespace berth::apiserver
