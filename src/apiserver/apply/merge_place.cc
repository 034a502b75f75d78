#include "apiserver/apply/merge_place.h"

namespace berth::apiserver {

Form FormOf(const SchemaNode& node, const json::value& value) {
  switch (node.shape) {
    case SchemaNode::Shape::kAny:
      return value.is_object() ? Form::kMap : Form::kLeaf;
    case SchemaNode::Shape::kList:
      return !node.is_atomic && (value.is_array() || value.is_null()) ? Form::kList : Form::kLeaf;
    case SchemaNode::Shape::kMap:
      return !node.is_atomic && (value.is_object() || value.is_null()) ? Form::kMap : Form::kLeaf;
    case SchemaNode::Shape::kScalar:
      break;
  }
  return Form::kLeaf;
}

SchemaNode MemberNode(const SchemaView& schema, const SchemaNode& map, std::string_view name) {
  if (map.shape != SchemaNode::Shape::kMap) return {};
  return schema.Member(map, name).value_or(SchemaNode{});
}

SchemaNode ElementNode(const SchemaView& schema, const SchemaNode& list) {
  return list.shape == SchemaNode::Shape::kList ? schema.Element(list) : SchemaNode{};
}

namespace {

std::optional<PathStep> StepByKeys(const SchemaView& schema, const SchemaNode& list,
                                   const json::object& element) {
  json::object keys;
  for (const std::string_view key : list.keys) {
    json::value value;
    if (const json::value* given = element.if_contains(json::BoostView(key))) {
      value = *given;
    } else if (const SchemaNode node = schema.Element(list);
               node.shape == SchemaNode::Shape::kMap) {
      value = schema.Default(node, key);
      if (value.is_null()) continue;
    }
    keys.emplace(json::BoostView(key), std::move(value));
  }
  if (keys.empty()) return std::nullopt;
  return KeyStep(keys);
}

}  // namespace

std::optional<PathStep> StepTo(const SchemaView& schema, const SchemaNode& list,
                               const json::value& element) {
  if (!list.keys.empty()) {
    return element.is_object() ? StepByKeys(schema, list, element.get_object()) : std::nullopt;
  }
  if (element.is_object() || element.is_array() || element.is_null()) return std::nullopt;
  return ValueStep(element);
}

const json::object* ObjectIn(const json::value* value) {
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* ArrayIn(const json::value* value) {
  return value == nullptr ? nullptr : value->if_array();
}

bool IsEmpty(const json::value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (const json::object* object = value->if_object()) return object->empty();
  if (const json::array* array = value->if_array()) return array->empty();
  return false;
}

}  // namespace berth::apiserver
