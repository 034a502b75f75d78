#pragma once

// Server-side apply. Applying an object makes the manager the owner of the fields it states and
// removes fields it owned and no longer states. A field owned by another manager with another value
// is a conflict. Other writes make their manager the owner of the fields they change.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/merge_schema.h"
#include "base/time.h"

namespace berth::apiserver {

// The part of a write request that matters for field ownership.
struct WriteInfo {
  std::string_view manager;      // fieldManager, or the first token of the User-Agent
  std::string_view api_version;  // of the request, such as "batch/v1"
  std::string_view subresource = {};
  bool has_status = false;  // the kind has a status subresource: other writes leave status alone
  base::Time now;
};

struct ApplyConflict {
  std::string field;    // ".spec.replicas"
  std::string message;  // `conflict with "kubectl" using apps/v1`
};

// A rejected apply. Conflicts become causes of the Status with reason FieldManagerConflict.
struct ApplyError {
  int code = 400;
  std::string message;
  std::vector<ApplyConflict> conflicts = {};
};

// Applies an object. `live` is the stored object; null for a create. Sets metadata.managedFields of
// the result; the caller does everything else that a create or update entails. If neither the
// object nor ownership changes, timestamps are kept and the result equals `live`.
//
// With `is_forced` the applier takes over conflicting fields.
std::expected<json::value, ApplyError> Apply(const SchemaView& schema, const json::value& live,
                                             json::value applied, const WriteInfo& write,
                                             bool is_forced);

// For every other write: returns `updated` with metadata.managedFields derived from the change.
// `live` is null for a create. managedFields sent by the client replace the stored ones unless they
// are malformed or the write targets a subresource; an empty list resets ownership.
json::value TrackUpdate(const SchemaView& schema, const json::value& live, json::value updated,
                        const WriteInfo& write);

// Copies the managedFields timestamps of `live` to `updated` if nothing else differs. For callers
// that change an object after Apply or TrackUpdate (defaulting, admission).
void KeepTimesIfUnchanged(const json::value& live, json::value& updated);

}  // namespace berth::apiserver
