#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "apiserver/merge_field_set.h"
#include "base/error.h"
#include "base/time.h"

namespace berth::apiserver {

// Who wrote fields, and how. One manager can have several: an entry for what it applied, one for
// each version that it updated in, and those again for each subresource.
struct ManagerId {
  std::string manager;
  bool is_apply = false;
  std::string subresource;
  std::string api_version;  // empty for appliers: what they apply replaces what they applied

  // `"kubectl" using apps/v1`, as people are told of a conflict.
  std::string ToString() const;

  // By name, and of one name what it applied first.
  friend auto operator<=>(const ManagerId& a, const ManagerId& b) { return a.Key() <=> b.Key(); }
  friend bool operator==(const ManagerId& a, const ManagerId& b) { return a.Key() == b.Key(); }

 private:
  std::tuple<std::string_view, bool, std::string_view, std::string_view> Key() const {
    return {manager, !is_apply, api_version, subresource};
  }
};

struct ManagedEntry {
  std::string api_version;
  std::optional<base::Time> time;
  FieldSet fields;
  // Of an entry that was not gone into: its fields in the object that it was read from, which must
  // outlive it. Then `fields` is empty.
  const json::value* printed = nullptr;

  bool empty() const { return printed == nullptr && fields.empty(); }

  friend bool operator==(const ManagedEntry&, const ManagedEntry&) = default;
};

using ManagedFields = std::map<ManagerId, ManagedEntry>;

// Reads metadata.managedFields of an object; none if it has none.
base::Result<ManagedFields> ReadManagedFields(const json::value& object);
// The same, going only into entries whose fields are wanted.
using AreFieldsWanted = std::function<bool(const ManagerId&, const json::value& printed)>;
base::Result<ManagedFields> ReadManagedFields(const json::value& object,
                                              const AreFieldsWanted& are_wanted);

// Writes metadata.managedFields: appliers first, then by time, then by name. Removes it if there is
// nothing to write.
void WriteManagedFields(json::value& object, const ManagedFields& managed);
void DropManagedFields(json::value& object);

// Whether the list is one by which clients ask to forget all ownership: empty, or with one empty
// entry.
bool IsManagedFieldsReset(const json::value& object);

// Joins the entries of the oldest updaters into one until at most `limit` updaters remain, so that
// an object that everybody touches does not grow for ever.
void LimitUpdaters(ManagedFields& managed, size_t limit = 10);

}  // namespace berth::apiserver
