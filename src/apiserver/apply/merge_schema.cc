#include "apiserver/apply/merge_schema.h"

#include <algorithm>

#include "schema/access.h"

namespace berth::apiserver {
namespace {

// Atomic although they have fields: part of a reference or selector has a different meaning.
constexpr std::string_view kAtomicStructs[] = {
    "FileKeySelector", "KeySelector",           "LabelSelector",       "LocalObjectReference",
    "NodeSelector",    "NodeSelectorTerm",      "ObjectFieldSelector", "ObjectReference",
    "OwnerReference",  "ResourceFieldSelector", "SecretReference",     "TypedLocalObjectReference",
};

// Maps that are atomic.
struct FieldName {
  std::string_view structure;
  std::string_view field;
};
constexpr FieldName kAtomicMaps[] = {
    {"PodSpec", "nodeSelector"},
    {"ResourceFlavorSpec", "nodeLabels"},
    {"RuntimeScheduling", "nodeSelector"},
    {"ServiceSpec", "selector"},
};

bool IsAtomicStruct(const schema::Struct& structure) {
  return std::ranges::find(kAtomicStructs, structure.name) != std::end(kAtomicStructs);
}

bool IsAtomicMap(const schema::Struct& structure, std::string_view field) {
  return std::ranges::any_of(kAtomicMaps, [&](const FieldName& name) {
    return name.structure == structure.name && name.field == field;
  });
}

const schema::Type& TypeOf(const SchemaNode& node) {
  return *static_cast<const schema::Type*>(node.place);
}

void DescribeList(const schema::Field* field, SchemaNode& node) {
  node.shape = SchemaNode::Shape::kList;
  node.is_atomic = field == nullptr || field->list_kind == schema::ListKind::kAtomic;
  if (field != nullptr && field->list_kind == schema::ListKind::kMap) {
    node.keys.assign(field->keys.begin(), field->keys.end());
  }
}

}  // namespace

DescribedSchemaView::DescribedSchemaView(const schema::Struct& (*structure)())
    : root_{.shape = schema::Shape::kStruct, .structure = structure} {}

SchemaNode DescribedSchemaView::NodeOf(const schema::Type& type, const schema::Field* field) {
  SchemaNode node{.place = &type, .detail = field};
  switch (type.shape) {
    case schema::Shape::kStruct:
      node.shape = SchemaNode::Shape::kMap;
      node.is_atomic = IsAtomicStruct(type.structure());
      break;
    case schema::Shape::kMap:
      node.shape = SchemaNode::Shape::kMap;
      break;
    case schema::Shape::kList:
      DescribeList(field, node);
      break;
    case schema::Shape::kJson:
      break;
    default:
      node.shape = SchemaNode::Shape::kScalar;
  }
  return node;
}

SchemaNode DescribedSchemaView::Root() const { return NodeOf(root_, nullptr); }

std::optional<SchemaNode> DescribedSchemaView::Member(const SchemaNode& map,
                                                      std::string_view name) const {
  const schema::Type& type = TypeOf(map);
  if (type.shape == schema::Shape::kMap) return NodeOf(*type.element, nullptr);
  const schema::Struct& structure = type.structure();
  const schema::Field* field = schema::FindField(structure, name);
  if (field != nullptr) {
    SchemaNode node = NodeOf(*field->type, field);
    node.is_named = true;
    if (field->type->shape == schema::Shape::kMap) node.is_atomic = IsAtomicMap(structure, name);
    return node;
  }
  const bool is_object = &type == &root_ && schema::FindField(structure, "metadata") != nullptr;
  if (is_object && (name == "apiVersion" || name == "kind")) {
    SchemaNode node = NodeOf(schema::kCarriedString, nullptr);
    node.is_named = true;
    return node;
  }
  const auto* here = static_cast<const schema::Field*>(map.detail);
  const bool is_open = structure.is_open || (here != nullptr && here->preserves_unknown);
  return is_open ? std::optional(NodeOf(schema::kCarriedJson, nullptr)) : std::nullopt;
}

SchemaNode DescribedSchemaView::Element(const SchemaNode& list) const {
  return NodeOf(*TypeOf(list).element, nullptr);
}

json::value DescribedSchemaView::Default(const SchemaNode& map, std::string_view name) const {
  const schema::Type& type = TypeOf(map);
  if (type.shape != schema::Shape::kStruct) return nullptr;
  const schema::Field* field = schema::FindField(type.structure(), name);
  if (field == nullptr || field->default_json.empty()) return nullptr;
  return json::Parse(field->default_json).value_or(nullptr);
}

}  // namespace berth::apiserver
