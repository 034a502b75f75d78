#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "apiserver/apply/merge_field_set.h"
#include "base/error.h"
#include "base/time.h"

namespace berth::apiserver {

// Identity of a managedFields entry. A manager has one entry for apply and one for each version it
// updated in, separately for each subresource.
struct ManagerId {
  std::string manager;
  bool is_apply = false;
  std::string subresource;
  std::string api_version;  // empty for apply: an apply replaces the previous one in any version

  // `"kubectl" using apps/v1`, for conflict messages.
  std::string ToString() const;

  // By manager, apply entries first.
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
  // Unparsed fields, in the object the entry was read from, which must outlive the entry. `fields`
  // is empty then.
  const json::value* printed = nullptr;

  bool empty() const { return printed == nullptr && fields.empty(); }

  friend bool operator==(const ManagedEntry&, const ManagedEntry&) = default;
};

using ManagedFields = std::map<ManagerId, ManagedEntry>;

// Parses metadata.managedFields; empty if absent.
base::Result<ManagedFields> ReadManagedFields(const json::value& object);
// As above; parses only the fields of entries that are wanted.
using AreFieldsWanted = std::function<bool(const ManagerId&, const json::value& printed)>;
base::Result<ManagedFields> ReadManagedFields(const json::value& object,
                                              const AreFieldsWanted& are_wanted);

// Writes metadata.managedFields: apply entries first, then by time, then by name. Removes the field
// if `managed` is empty.
void WriteManagedFields(json::value& object, const ManagedFields& managed);
void DropManagedFields(json::value& object);

// True if the list resets ownership: empty, or a single empty entry.
bool IsManagedFieldsReset(const json::value& object);

// Merges the entries of the oldest updaters until at most `limit` remain, which bounds the size of
// managedFields.
void LimitUpdaters(ManagedFields& managed, size_t limit = 10);

}  // namespace berth::apiserver
