#pragma once

// Schema-driven operations of server-side apply on whole objects. Pure functions.

#include <optional>

#include "apiserver/apply/merge_field_set.h"
#include "apiserver/apply/merge_schema.h"
#include "base/error.h"

namespace berth::apiserver {

// Validates an applied object against the schema: known fields, objects and lists where expected,
// list elements with distinct identity. Reports all problems in one message.
base::Result<void> CheckApplied(const SchemaView& schema, const json::value& object);

// The fields an applier of the object owns: scalars, atomic values, empty objects, list elements,
// map keys.
FieldSet FieldsOf(const SchemaView& schema, const json::value& object);

// The difference between two objects.
struct Comparison {
  FieldSet removed;
  FieldSet modified;
  FieldSet added;

  bool IsSame() const { return removed.empty() && modified.empty() && added.empty(); }
};
Comparison CompareTrees(const SchemaView& schema, const json::value& before,
                        const json::value& after);

// Merges `applied` into `live`. Lists follow the order of `applied`; elements only in the live list
// keep their position relative to their neighbours.
json::value MergeTrees(const SchemaView& schema, const json::value& live,
                       const json::value& applied);

// The result for objects and lists that become empty.
enum class Emptied : uint8_t { kNull, kEmpty };

// A copy without the fields of the set.
json::value RemoveFields(const SchemaView& schema, const json::value& object, const FieldSet& set,
                         Emptied emptied = Emptied::kNull);

// The set plus every named field that has a descendant in it.
FieldSet WithNamedFields(const SchemaView& schema, const FieldSet& set);

}  // namespace berth::apiserver
