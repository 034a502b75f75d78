#pragma once

// Server-side apply: every field has managers. Who applies an object states the fields it cares
// about; it owns these from then on, loses those it no longer states, and is told when another
// manager owns a field with another value. Writes of other kinds make their manager the owner of
// what they change.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/managed_fields.h"
#include "apiserver/merge_schema.h"
#include "base/time.h"

namespace berth::apiserver {

// The request that changes an object, as far as ownership goes.
struct WriteInfo {
  std::string_view manager;      // fieldManager, or the first word of the User-Agent
  std::string_view api_version;  // of the request, such as "batch/v1"
  std::string_view subresource = {};
  bool has_status = false;  // the kind has a status subresource, so other writes do not set status
  base::Time now;
};

struct ApplyConflict {
  std::string field;    // ".spec.replicas"
  std::string message;  // `conflict with "kubectl" using apps/v1`
};

// Why an apply was refused. Conflicts go to the Status as causes with the reason
// FieldManagerConflict.
struct ApplyError {
  int code = 400;
  std::string message;
  std::vector<ApplyConflict> conflicts = {};
};

// Applies an object. `live` is what is stored; null when the object is to be created. The result
// has its metadata.managedFields; everything else that creating or updating an object entails is up
// to the caller. Where neither the object nor ownership changes, times stay as they are, so the
// result equals `live`.
//
// With `is_forced` the applier takes over fields that others own with another value.
std::expected<json::value, ApplyError> Apply(const SchemaView& schema, const json::value& live,
                                             json::value applied, const WriteInfo& write,
                                             bool is_forced);

// After any other write: `updated` with metadata.managedFields as they follow from what changed.
// `live` is null for a create. A client may send managedFields of its own: they count instead of
// the stored ones unless they are malformed, or the write goes to a subresource; an empty list
// forgets all ownership.
json::value TrackUpdate(const SchemaView& schema, const json::value& live, json::value updated,
                        const WriteInfo& write);

// If the objects differ in nothing but the times of their managedFields, `updated` gets the times
// of `live`. For callers that change an object after Apply or TrackUpdate (defaults, admission).
void KeepTimesIfUnchanged(const json::value& live, json::value& updated);

}  // namespace berth::apiserver
