#include "apiserver/apply.h"

#include <algorithm>

#include "apiserver/merge_tree.h"
#include "store/same_json.h"

namespace berth::apiserver {
namespace {

using store::JsonStringAt;

FieldSet Paths(std::initializer_list<FieldPath> paths) {
  FieldSet set;
  for (const FieldPath& path : paths) set.Insert(path);
  return set;
}

// What the server itself writes, and what names an object: nobody owns it.
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

// What a write to this resource cannot change, whatever it sends.
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

// The fields of others that the change touches.
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

// Others lose what the change took from them.
void GiveUp(ManagedFields& managed, const ManagerId& self, const ManagedFields& conflicts,
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

// Takes fields out of `merged` that the applier stated last time but no longer does, unless someone
// else owns them, and never anything that the applier did not own.
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
  if (!applied.is_object()) return std::unexpected(BadRequest("an apply patch is an object"));
  const std::string_view version = JsonStringAt(applied, {"apiVersion"});
  if (version != write.api_version) {
    return std::unexpected(
        BadRequest("Incorrect version specified in apply patch. Specified patch version: " +
                   std::string(version) + ", expected: " + std::string(write.api_version)));
  }
  const json::value* managed = store::FindJson(applied, {"metadata", "managedFields"});
  if (managed != nullptr && !managed->is_null()) {
    return std::unexpected(BadRequest("metadata.managedFields must be nil"));
  }
  if (auto fits = CheckApplied(schema, applied); !fits) {
    return std::unexpected(BadRequest(
        "failed to create typed patch object (" +
        std::string(JsonStringAt(applied, {"metadata", "namespace"})) + "/" +
        std::string(JsonStringAt(applied, {"metadata", "name"})) + "; " + std::string(version) +
        ", Kind=" + std::string(JsonStringAt(applied, {"kind"})) + "): " + fits.error().message));
  }
  return {};
}

// kubectl leaves its configuration in an annotation when it applies on the client's side. Where the
// annotation is, it says what kubectl applied last, on whichever side, so that users can go back.
void RenewLastApplied(const json::value& applied, const WriteInfo& write, json::value& merged) {
  constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
  constexpr size_t kLongest = 256 * 1024;
  if (write.manager != "kubectl" || !write.subresource.empty()) return;
  if (JsonStringAt(merged, {"metadata", "annotations", kAnnotation}).empty()) return;
  json::value configuration = applied;
  json::value* annotations = store::FindJson(configuration, {"metadata", "annotations"});
  if (annotations != nullptr && annotations->is_object()) {
    annotations->get_object().stable_erase(store::BoostView(kAnnotation));
  }
  std::string printed = store::PrintJson(configuration) + "\n";
  *store::FindJson(merged, {"metadata", "annotations", kAnnotation}) =
      printed.size() <= kLongest ? json::value(printed) : json::value("");
}

bool HasUid(const json::value& object) {
  return !JsonStringAt(object, {"metadata", "uid"}).empty();
}

// Makes the manager the owner of what changed.
void RecordChanges(Comparison changes, ManagedFields& managed, const WriteInfo& write) {
  GiveUp(managed, ManagerId{}, ConflictsOf(managed, ManagerId{}, changes), changes);
  FieldSet mine = std::move(changes.modified);
  mine.Add(std::move(changes.added));
  mine.Remove(Unowned());
  if (mine.empty()) return;
  ManagedEntry& entry = managed[IdOf(write, false)];
  entry.fields.Add(std::move(mine));
  entry.api_version = write.api_version;
  entry.time = write.now;
}

// The owners that a client asks for with an update; nullopt if it leaves them as they are.
std::optional<ManagedFields> OwnersSent(const json::value& live, const json::value& updated,
                                        const WriteInfo& write) {
  if (!write.subresource.empty()) return std::nullopt;
  if (IsManagedFieldsReset(updated)) return ManagedFields();
  const json::value* old_list = store::FindJson(live, {"metadata", "managedFields"});
  const json::value* new_list = store::FindJson(updated, {"metadata", "managedFields"});
  if (old_list != nullptr && new_list != nullptr && store::SameJson(*old_list, *new_list))
    return std::nullopt;
  auto sent = ReadManagedFields(updated);
  if (!sent || sent->empty()) return std::nullopt;
  return *std::move(sent);
}

// The owners there are, as far as the update concerns them.
ManagedFields OwnersStored(const json::value& live, const Comparison& changes,
                           const WriteInfo& write) {
  const ManagerId self = IdOf(write, false);
  const auto is_concerned = [&](const ManagerId& id, const json::value& fields) {
    return id == self || HasAnyOf(fields, changes.modified) || HasAnyOf(fields, changes.added) ||
           HasAnyOf(fields, changes.removed);
  };
  return ReadManagedFields(live, is_concerned).value_or(ManagedFields());
}

// Whether the objects differ in nothing but who owns their fields.
bool IsSameButForOwners(const json::value& a, const json::value& b) {
  const json::object* first = a.if_object();
  const json::object* second = b.if_object();
  if (first == nullptr || second == nullptr || first->size() != second->size()) return false;
  const auto is_same = [](const json::object& x, const json::object& y, std::string_view but) {
    return std::ranges::all_of(x, [&](const auto& member) {
      if (store::View(member.key()) == but) return true;
      const json::value* other = y.if_contains(member.key());
      return other != nullptr && store::SameJson(*other, member.value());
    });
  };
  if (!is_same(*first, *second, "metadata")) return false;
  const json::value* old_metadata = store::FindJson(a, {"metadata"});
  const json::value* new_metadata = store::FindJson(b, {"metadata"});
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
    // An object that nobody was tracked for: all of it belongs to those who wrote it so far.
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
  GiveUp(*managed, self, conflicts, changes);

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
  std::optional<ManagedFields> sent = OwnersSent(live, updated, write);
  // Nobody owns managedFields, so it does no harm that the live object still has them.
  static const json::value kNothing = json::object();
  const json::value& current = live.is_object() ? live : kNothing;
  if (updated.is_object()) DropManagedFields(updated);
  Comparison changes = Compare(schema, current, updated, write);
  ManagedFields managed = sent ? *std::move(sent) : OwnersStored(live, changes, write);
  if (managed.empty() && HasUid(current)) return updated;
  RecordChanges(std::move(changes), managed, write);
  LimitUpdaters(managed);
  WriteManagedFields(updated, managed);
  KeepTimesIfUnchanged(live, updated);
  return updated;
}

void KeepTimesIfUnchanged(const json::value& live, json::value& updated) {
  const json::value* old_list = store::FindJson(live, {"metadata", "managedFields"});
  json::value* new_list = store::FindJson(updated, {"metadata", "managedFields"});
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
