#pragma once

#include <optional>
#include <string_view>

#include "apiserver/apply/merge_field_set.h"
#include "apiserver/apply/merge_schema.h"

// Navigation by schema, shared by the walks of merge_tree.h.
namespace berth::apiserver {

enum class Form : uint8_t {
  kLeaf,  // compared, merged and owned as a unit
  kList,  // by element
  kMap,   // by member
};

// How the value at the node merges. Null counts as an empty list or object.
Form FormOf(const SchemaNode& node, const json::value& value);

// The node of a member; kAny if the schema does not know the field.
SchemaNode MemberNode(const SchemaView& schema, const SchemaNode& map, std::string_view name);
SchemaNode ElementNode(const SchemaView& schema, const SchemaNode& list);

// The path step of an element in a Form::kList list; nullopt if it has no identity.
std::optional<PathStep> StepTo(const SchemaView& schema, const SchemaNode& list,
                               const json::value& element);

// The object or array; null if absent or of another type.
const json::object* ObjectIn(const json::value* value);
const json::array* ArrayIn(const json::value* value);

bool IsEmpty(const json::value* value);  // absent, null, {} or []

}  // namespace berth::apiserver
