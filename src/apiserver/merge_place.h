#pragma once

#include <optional>
#include <string_view>

#include "apiserver/merge_field_set.h"
#include "apiserver/merge_schema.h"

// What the walks of merge_tree.h share: how to go into a value that stands at a place of a schema.
namespace berth::apiserver {

enum class Form : uint8_t {
  kLeaf,  // compared, merged and owned as a whole
  kList,  // by element
  kMap,   // by member
};

// How the value at the node is treated. Null passes for an empty list or object.
Form FormOf(const SchemaNode& node, const json::value& value);

// The node of a member. Where the schema knows none, anything may be there.
SchemaNode MemberNode(const SchemaView& schema, const SchemaNode& map, std::string_view name);
SchemaNode ElementNode(const SchemaView& schema, const SchemaNode& list);

// The step to an element of a list of Form::kList; nullopt if it cannot be told apart.
std::optional<PathStep> StepTo(const SchemaView& schema, const SchemaNode& list,
                               const json::value& element);

// The object or array, or null if the value is another or absent.
const json::object* ObjectIn(const json::value* value);
const json::array* ArrayIn(const json::value* value);

bool IsEmpty(const json::value* value);  // absent, null, {} or []

}  // namespace berth::apiserver
