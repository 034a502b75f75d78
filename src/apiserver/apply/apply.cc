#include "apiserver/apply/apply.h"

#include <algorithm>

#include "apiserver/apply/merge_tree.h"
#include "json/same.h"

namespace berth::apiserver {
namespace {

FieldSet Paths(std::initializer_list<FieldPath> paths) {
  FieldSet set;
  for (const FieldPath& path : paths) set.Insert(path);
  return set;
}

// Fields written by the server or identifying the object; never owned.
const FieldSet& Unowned() {
  static const FieldSet kSet = Paths({
      {"f:apiVersion"},
      {"f:kind"},
      {"f:metadata"},
      {"f:metadata", "f:name"},
      {"f:metadata", "f:namespace"},
      {"f:metadata", "f:creationTimestamp"},
      {"f:metadata", "f:selfLink"},
      {"f:metadata", "f:uid"},
      {"f:metadata", "f:clusterName"},
      {"f:metadata", "f:generation"},
      {"f:metadata", "f:managedFields"},
      {"f:metadata", "f:resourceVersion"},
  });
  return kSet;
}

// Fields that a write to this resource cannot change.
const FieldSet& Ignored(const WriteInfo& write) {
  static const FieldSet kNothing;
  static const FieldSet kStatus = Paths({{"f:status"}});
  static const FieldSet kAllButStatus = Paths({{"f:spec"}, {"f:metadata"}});
  if (write.subresource == "status") return kAllButStatus;
  return write.has_status && write.subresource.empty() ? kStatus : kNothing;
}

ManagerId IdOf(const WriteInfo& write, bool is_apply) {
  return {.manager = write.manager.empty() ? "unknown" : std::string(write.manager),
          .is_apply = is_apply,
          .subresource = std::string(write.subresource),
          .api_version = is_apply ? "" : std::string(write.api_version)};
}

void EraseEmpty(ManagedFields& managed) {
  std::erase_if(managed, [](const auto& entry) { return entry.second.empty(); });
}

Comparison Compare(const SchemaView& schema, const json::value& before, const json::value& after,
                   const WriteInfo& write) {
  Comparison changes = CompareTrees(schema, before, after);
  const FieldSet& ignored = Ignored(write);
  if (ignored.empty()) return changes;
  changes.removed = changes.removed.Without(ignored);
  changes.modified = changes.modified.Without(ignored);
  changes.added = changes.added.Without(ignored);
  return changes;
}

// The fields of other managers that the change touches.
ManagedFields ConflictsOf(const ManagedFields& managed, const ManagerId& self,
                          const Comparison& changes) {
  ManagedFields conflicts;
  if (managed.empty()) return conflicts;
  const FieldSet touched = changes.modified.Union(changes.added);
  for (const auto& [id, entry] : managed) {
    if (id == self) continue;
    FieldSet both = entry.fields.Intersection(touched);
    if (!both.empty())
      conflicts[id] = {.api_version = entry.api_version, .fields = std::move(both)};
  }
  return conflicts;
}

// Other managers lose the fields they no longer own after the change.
void ReleaseFields(ManagedFields& managed, const ManagerId& self, const ManagedFields& conflicts,
                   const Comparison& changes) {
  for (auto& [id, entry] : managed) {
    if (id == self) continue;
    const auto conflict = conflicts.find(id);
    if (conflict != conflicts.end()) entry.fields.Remove(conflict->second.fields);
    entry.fields.Remove(changes.removed);
  }
  EraseEmpty(managed);
}

ApplyError ConflictError(const ManagedFields& conflicts) {
  ApplyError error{.code = 409};
  std::string list;
  for (const auto& [id, entry] : conflicts) {
    if (!list.empty()) list += '\n';
    list += "conflicts with " + id.ToString() + ":";
    entry.fields.Each([&](const FieldPath& path) {
      error.conflicts.push_back({ToString(path), "conflict with " + id.ToString()});
      list += "\n- " + ToString(path);
    });
  }
  const size_t count = error.conflicts.size();
  error.message = count == 1 ? "Apply failed with 1 conflict: " + error.conflicts[0].message +
                                   ": " + error.conflicts[0].field
                             : "Apply failed with " + std::to_string(count) + " conflicts: " + list;
  return error;
}

// Removes fields that the applier owned from its last apply and no longer states, unless another
// manager owns them.
json::value RemoveNoLongerApplied(const SchemaView& schema, const json::value& merged,
                                  const ManagedFields& managed, const FieldSet& last) {
  if (last.empty()) return merged;
  const FieldSet last_named = WithNamedFields(schema, last);
  FieldSet owned;
  for (const auto& [id, entry] : managed) owned = owned.Union(entry.fields);

  const FieldSet all = WithNamedFields(schema, FieldsOf(schema, merged));
  json::value pruned = RemoveFields(schema, merged, last_named);
  FieldSet kept = WithNamedFields(schema, FieldsOf(schema, pruned));
  const FieldSet unowned = all.Difference(kept.Union(WithNamedFields(schema, owned)));
  pruned = RemoveFields(schema, merged, unowned);
  kept = WithNamedFields(schema, FieldsOf(schema, pruned));
  return RemoveFields(schema, merged, all.Difference(kept).Intersection(last_named),
                      Emptied::kEmpty);
}

ApplyError BadRequest(std::string message) { return {.code = 400, .message = std::move(message)}; }

std::expected<void, ApplyError> CheckRequest(const SchemaView& schema, const json::value& applied,
                                             const WriteInfo& write) {
  if (write.manager.empty()) {
    return std::unexpected(ApplyError{
        .code = 422, .message = "fieldManager: Required value: is required for apply patch"});
  }
  if (!applied.is_object()) return std::unexpected(BadRequest("an apply patch must be an object"));
  const std::string_view version = json::StringAt(applied, {"apiVersion"});
  if (version != write.api_version) {
    return std::unexpected(
        BadRequest("Incorrect version specified in apply patch. Specified patch version: " +
                   std::string(version) + ", expected: " + std::string(write.api_version)));
  }
  const json::value* managed = json::Find(applied, {"metadata", "managedFields"});
  if (managed != nullptr && !managed->is_null()) {
    return std::unexpected(BadRequest("metadata.managedFields must be nil"));
  }
  if (auto fits = CheckApplied(schema, applied); !fits) {
    return std::unexpected(BadRequest(
        "failed to create typed patch object (" +
        std::string(json::StringAt(applied, {"metadata", "namespace"})) + "/" +
        std::string(json::StringAt(applied, {"metadata", "name"})) + "; " + std::string(version) +
        ", Kind=" + std::string(json::StringAt(applied, {"kind"})) + "): " + fits.error().message));
  }
  return {};
}

// kubectl stores its configuration in an annotation on client-side apply. If the annotation exists,
// server-side apply updates it too, so that users can switch back.
void RenewLastApplied(const json::value& applied, const WriteInfo& write, json::value& merged) {
  constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
  constexpr size_t kLongest = 256 * 1024;
  if (write.manager != "kubectl" || !write.subresource.empty()) return;
  if (json::StringAt(merged, {"metadata", "annotations", kAnnotation}).empty()) return;
  json::value configuration = applied;
  json::value* annotations = json::Find(configuration, {"metadata", "annotations"});
  if (annotations != nullptr && annotations->is_object()) {
    annotations->get_object().stable_erase(json::BoostView(kAnnotation));
  }
  std::string printed = json::Print(configuration) + "\n";
  *json::Find(merged, {"metadata", "annotations", kAnnotation}) =
      printed.size() <= kLongest ? json::value(printed) : json::value("");
}

bool HasUid(const json::value& object) {
  return !json::StringAt(object, {"metadata", "uid"}).empty();
}

// Makes the manager the owner of the changed fields.
void RecordChanges(Comparison changes, ManagedFields& managed, const WriteInfo& write) {
  ReleaseFields(managed, ManagerId{}, ConflictsOf(managed, ManagerId{}, changes), changes);
  FieldSet mine = std::move(changes.modified);
  mine.Add(std::move(changes.added));
  mine.Remove(Unowned());
  if (mine.empty()) return;
  ManagedEntry& entry = managed[IdOf(write, false)];
  entry.fields.Add(std::move(mine));
  entry.api_version = write.api_version;
  entry.time = write.now;
}

// managedFields set explicitly by an update; nullopt if it leaves them unchanged.
std::optional<ManagedFields> SentManagedFields(const json::value& live, const json::value& updated,
                                               const WriteInfo& write) {
  if (!write.subresource.empty()) return std::nullopt;
  if (IsManagedFieldsReset(updated)) return ManagedFields();
  const json::value* old_list = json::Find(live, {"metadata", "managedFields"});
  const json::value* new_list = json::Find(updated, {"metadata", "managedFields"});
  if (old_list != nullptr && new_list != nullptr && json::Same(*old_list, *new_list))
    return std::nullopt;
  auto sent = ReadManagedFields(updated);
  if (!sent || sent->empty()) return std::nullopt;
  return *std::move(sent);
}

// Stored managedFields; only entries affected by the update are parsed.
ManagedFields StoredManagedFields(const json::value& live, const Comparison& changes,
                                  const WriteInfo& write) {
  const ManagerId self = IdOf(write, false);
  const auto is_concerned = [&](const ManagerId& id, const json::value& fields) {
    return id == self || HasAnyOf(fields, changes.modified) || HasAnyOf(fields, changes.added) ||
           HasAnyOf(fields, changes.removed);
  };
  return ReadManagedFields(live, is_concerned).value_or(ManagedFields());
}

// True if the objects differ only in managedFields.
bool IsSameButForOwners(const json::value& a, const json::value& b) {
  const json::object* first = a.if_object();
  const json::object* second = b.if_object();
  if (first == nullptr || second == nullptr || first->size() != second->size()) return false;
  const auto is_same = [](const json::object& x, const json::object& y, std::string_view but) {
    return std::ranges::all_of(x, [&](const auto& member) {
      if (json::View(member.key()) == but) return true;
      const json::value* other = y.if_contains(member.key());
      return other != nullptr && json::Same(*other, member.value());
    });
  };
  if (!is_same(*first, *second, "metadata")) return false;
  const json::value* old_metadata = json::Find(a, {"metadata"});
  const json::value* new_metadata = json::Find(b, {"metadata"});
  return old_metadata != nullptr && new_metadata != nullptr && old_metadata->is_object() &&
         new_metadata->is_object() &&
         old_metadata->get_object().size() == new_metadata->get_object().size() &&
         is_same(old_metadata->get_object(), new_metadata->get_object(), "managedFields");
}

json::value WithoutManagedFields(json::value object) {
  if (!object.is_object()) return json::object();
  DropManagedFields(object);
  return object;
}

}  // namespace

std::expected<json::value, ApplyError> Apply(const SchemaView& schema, const json::value& live,
                                             json::value applied, const WriteInfo& write,
                                             bool is_forced) {
  if (auto checked = CheckRequest(schema, applied, write); !checked) {
    return std::unexpected(checked.error());
  }
  auto managed = ReadManagedFields(live);
  if (!managed) return std::unexpected(BadRequest(managed.error().message));
  const json::value current = WithoutManagedFields(live);
  DropManagedFields(applied);
  if (managed->empty() && HasUid(current)) {
    // No managedFields yet: existing fields get one owner for everything before the first apply.
    WriteInfo before = write;
    before.manager = "before-first-apply";
    RecordChanges(Compare(schema, json::object(), current, before), *managed, before);
  }

  const ManagerId self = IdOf(write, true);
  const auto last_entry = managed->find(self);
  const FieldSet last = last_entry == managed->end() ? FieldSet() : last_entry->second.fields;
  const auto last_time = last_entry == managed->end() ? std::nullopt : last_entry->second.time;
  (*managed)[self] = {.api_version = std::string(write.api_version),
                      .time = last_time,
                      .fields = FieldsOf(schema, applied).Without(Ignored(write))};

  json::value merged = MergeTrees(schema, current, applied);
  merged = RemoveNoLongerApplied(schema, merged, *managed, last);
  const Comparison changes = Compare(schema, current, merged, write);
  const ManagedFields conflicts = ConflictsOf(*managed, self, changes);
  if (!is_forced && !conflicts.empty()) return std::unexpected(ConflictError(conflicts));
  ReleaseFields(*managed, self, conflicts, changes);

  ManagedEntry& mine = (*managed)[self];
  mine.fields = mine.fields.Difference(Unowned());
  if (!changes.IsSame() || !mine.time || mine.fields != last) mine.time = write.now;
  EraseEmpty(*managed);
  RenewLastApplied(applied, write, merged);
  WriteManagedFields(merged, *managed);
  KeepTimesIfUnchanged(live, merged);
  return merged;
}

json::value TrackUpdate(const SchemaView& schema, const json::value& live, json::value updated,
                        const WriteInfo& write) {
  std::optional<ManagedFields> sent = SentManagedFields(live, updated, write);
  // managedFields is never owned, so the live object may keep it for the comparison.
  static const json::value kNothing = json::object();
  const json::value& current = live.is_object() ? live : kNothing;
  if (updated.is_object()) DropManagedFields(updated);
  Comparison changes = Compare(schema, current, updated, write);
  ManagedFields managed = sent ? *std::move(sent) : StoredManagedFields(live, changes, write);
  if (managed.empty() && HasUid(current)) return updated;
  RecordChanges(std::move(changes), managed, write);
  LimitUpdaters(managed);
  WriteManagedFields(updated, managed);
  KeepTimesIfUnchanged(live, updated);
  return updated;
}

void KeepTimesIfUnchanged(const json::value& live, json::value& updated) {
  const json::value* old_list = json::Find(live, {"metadata", "managedFields"});
  json::value* new_list = json::Find(updated, {"metadata", "managedFields"});
  if (old_list == nullptr || new_list == nullptr || !IsSameButForOwners(live, updated)) return;
  auto old_managed = ReadManagedFields(live);
  auto new_managed = ReadManagedFields(updated);
  if (!old_managed || !new_managed || old_managed->size() != new_managed->size()) return;
  for (auto& [id, entry] : *new_managed) {
    const auto old_entry = old_managed->find(id);
    if (old_entry == old_managed->end()) return;
    entry.time = old_entry->second.time;
  }
  if (*old_managed == *new_managed) *new_list = *old_list;
}

}  // namespace berth::apiserver
