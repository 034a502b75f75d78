#include "api/meta/meta.h"
#include "apiserver/crd/node.h"
#include "apiserver/crd/structural.h"

namespace berth::apiserver {
namespace {

using Shape = SchemaNode::Shape;

// The detail of nodes in the definition's schema, whose place is their schema. Distinguishes them
// from nodes of the described metadata.
constexpr char kOwn = 0;

StructuralNode SchemaOf(const SchemaNode& node) {
  return StructuralNode(static_cast<const json::object*>(node.place));
}

SchemaNode AnyNode() { return {.detail = &kOwn}; }

void DescribeList(StructuralNode schema, SchemaNode& node) {
  node.shape = Shape::kList;
  const std::string_view kind = schema.Text("x-kubernetes-list-type");
  const json::array* keys = schema.List("x-kubernetes-list-map-keys");
  if (kind == "map" && keys != nullptr) {
    for (const json::value& key : *keys) {
      if (key.is_string()) node.keys.push_back(json::View(key.get_string()));
    }
  }
  node.is_atomic = kind != "set" && node.keys.empty();
}

SchemaNode NodeOf(StructuralNode schema) {
  SchemaNode node = AnyNode();
  node.place = schema.object();
  const std::string_view type = schema.type();
  if (type == "array") {
    DescribeList(schema, node);
  } else if (type == "object") {
    // An object without properties accepts any value.
    const bool is_known = schema.Members("properties") != nullptr || schema.AllowsAdditional();
    node.shape = is_known || schema.IsEmbedded() ? Shape::kMap : Shape::kAny;
    node.is_atomic = schema.Text("x-kubernetes-map-type") == "atomic";
    if (node.is_atomic) node.shape = Shape::kMap;
  } else if (!type.empty() || schema.IsIntOrString()) {
    node.shape = Shape::kScalar;
  }
  return node;
}

SchemaNode Named(SchemaNode node) {
  node.is_named = true;
  return node;
}

}  // namespace

StructuralSchemaView::StructuralSchemaView(std::shared_ptr<const json::value> openapi_schema)
    : schema_(std::move(openapi_schema)), metadata_(&api::ObjectMeta::Description) {}

bool StructuralSchemaView::IsBorrowed(const SchemaNode& node) const { return node.detail != &kOwn; }

SchemaNode StructuralSchemaView::Root() const {
  SchemaNode root = NodeOf(StructuralNode(schema_.get()));
  root.shape = Shape::kMap;
  return root;
}

std::optional<SchemaNode> StructuralSchemaView::Member(const SchemaNode& map,
                                                       std::string_view name) const {
  if (IsBorrowed(map)) return metadata_.Member(map, name);
  const StructuralNode schema = SchemaOf(map);
  const bool is_resource =
      schema.IsEmbedded() || schema_ == nullptr || schema.object() == schema_->if_object();
  if (is_resource && name == "metadata") return Named(metadata_.Root());
  if (const StructuralNode property = schema.Property(name)) return Named(NodeOf(property));
  if (is_resource && IsMetaField(name)) return Named({.shape = Shape::kScalar, .detail = &kOwn});
  if (const StructuralNode additional = schema.Child("additionalProperties")) {
    return NodeOf(additional);
  }
  if (!schema || schema.PreservesUnknown() || schema.AllowsAdditional()) return AnyNode();
  return std::nullopt;
}

SchemaNode StructuralSchemaView::Element(const SchemaNode& list) const {
  if (IsBorrowed(list)) return metadata_.Element(list);
  const StructuralNode items = SchemaOf(list).Child("items");
  return items ? NodeOf(items) : AnyNode();
}

json::value StructuralSchemaView::Default(const SchemaNode& map, std::string_view name) const {
  if (IsBorrowed(map)) return metadata_.Default(map, name);
  const json::value* found = SchemaOf(map).Property(name).Find("default");
  return found == nullptr ? json::value() : *found;
}

}  // namespace berth::apiserver
