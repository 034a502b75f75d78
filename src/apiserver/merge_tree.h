#pragma once

// The operations of server-side apply on whole objects, directed by a schema. All are functions of
// values.

#include <optional>

#include "apiserver/merge_field_set.h"
#include "apiserver/merge_schema.h"
#include "base/error.h"

namespace berth::apiserver {

// Whether an object that someone applies fits the schema: fields that it knows, objects and lists
// where they belong, list elements that can be told apart. All problems in one message.
base::Result<void> CheckApplied(const SchemaView& schema, const json::value& object);

// The fields that the object sets, as its applier will own them: scalars, things that change as a
// whole, empty objects, elements of lists, free keys of maps.
FieldSet FieldsOf(const SchemaView& schema, const json::value& object);

// What `after` changed.
struct Comparison {
  FieldSet removed;
  FieldSet modified;
  FieldSet added;

  bool IsSame() const { return removed.empty() && modified.empty() && added.empty(); }
};
Comparison CompareTrees(const SchemaView& schema, const json::value& before,
                        const json::value& after);

// `applied` laid over `live`. Lists keep the order of `applied` where it has one, and what only the
// live object has stays where it was among its neighbours.
json::value MergeTrees(const SchemaView& schema, const json::value& live,
                       const json::value& applied);

// What becomes of objects and lists from which everything was removed.
enum class Emptied : uint8_t { kNull, kEmpty };

// Without the fields of the set.
json::value RemoveFields(const SchemaView& schema, const json::value& object, const FieldSet& set,
                         Emptied emptied = Emptied::kNull);

// The set with each named field that has something below it in the set, too.
FieldSet WithNamedFields(const SchemaView& schema, const FieldSet& set);

}  // namespace berth::apiserver
