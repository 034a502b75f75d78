#include "apiserver/apply/managed_fields.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "api/meta/problem_report.h"

namespace berth::apiserver {
namespace {

base::Result<void> ReadEntry(const json::value& entry, const AreFieldsWanted& are_wanted,
                             ManagedFields& out) {
  const std::string_view operation = json::StringAt(entry, {"operation"});
  if (operation != "Apply" && operation != "Update") {
    return base::Fail("metadata.managedFields: operation must be Apply or Update");
  }
  const std::string_view version = json::StringAt(entry, {"apiVersion"});
  if (version.empty()) return base::Fail("metadata.managedFields: apiVersion must not be empty");
  if (json::StringAt(entry, {"fieldsType"}) != "FieldsV1") {
    return base::Fail("metadata.managedFields: fieldsType must be FieldsV1");
  }
  const json::value* fields = json::Find(entry, {"fieldsV1"});
  const bool is_apply = operation == "Apply";
  ManagerId id{.manager = std::string(json::StringAt(entry, {"manager"})),
               .is_apply = is_apply,
               .subresource = std::string(json::StringAt(entry, {"subresource"})),
               .api_version = is_apply ? "" : std::string(version)};
  ManagedEntry read{.api_version = std::string(version),
                    .time = base::ParseTime(json::StringAt(entry, {"time"}))};
  if (fields != nullptr && !are_wanted(id, *fields)) {
    read.printed = fields;
  } else if (fields != nullptr) {
    auto set = ParseFieldSet(*fields);
    if (!set) return std::unexpected(set.error());
    read.fields = *std::move(set);
  }
  out[std::move(id)] = std::move(read);
  return {};
}

void ParseFields(ManagedEntry& entry) {
  if (const json::value* printed = std::exchange(entry.printed, nullptr))
    entry.fields = ParseFieldSet(*printed).value_or(FieldSet());
}

json::object PrintEntry(const ManagerId& id, const ManagedEntry& entry, json::storage_ptr memory) {
  json::object out(memory);
  out["manager"] = id.manager;
  out["operation"] = id.is_apply ? "Apply" : "Update";
  out["apiVersion"] = entry.api_version;
  if (entry.time) out["time"] = base::FormatTime(*entry.time);
  out["fieldsType"] = "FieldsV1";
  if (entry.printed != nullptr)
    out["fieldsV1"] = *entry.printed;
  else
    out["fieldsV1"] = PrintFieldSet(entry.fields, std::move(memory));
  if (!id.subresource.empty()) out["subresource"] = id.subresource;
  return out;
}

int64_t SecondsOf(const ManagedEntry& entry) { return entry.time ? entry.time->seconds() : 0; }

}  // namespace

std::string ManagerId::ToString() const {
  std::string text = api::Quoted(manager);
  if (!subresource.empty()) text += " with subresource " + api::Quoted(subresource);
  if (!is_apply) text += " using " + api_version;
  return text;
}

base::Result<ManagedFields> ReadManagedFields(const json::value& object) {
  return ReadManagedFields(object, [](const ManagerId&, const json::value&) { return true; });
}

base::Result<ManagedFields> ReadManagedFields(const json::value& object,
                                              const AreFieldsWanted& are_wanted) {
  ManagedFields managed;
  const json::value* list = json::Find(object, {"metadata", "managedFields"});
  if (list == nullptr || list->is_null()) return managed;
  if (!list->is_array()) return base::Fail("metadata.managedFields must be a list");
  for (const json::value& entry : list->get_array()) {
    if (auto read = ReadEntry(entry, are_wanted, managed); !read)
      return std::unexpected(read.error());
  }
  return managed;
}

void WriteManagedFields(json::value& object, const ManagedFields& managed) {
  DropManagedFields(object);
  json::value* metadata = json::Find(object, {"metadata"});
  if (managed.empty() || metadata == nullptr || !metadata->is_object()) return;
  std::vector<const ManagedFields::value_type*> entries;
  for (const auto& entry : managed) entries.push_back(&entry);
  std::ranges::sort(entries, {}, [](const ManagedFields::value_type* entry) {
    const ManagerId& id = entry->first;
    return std::tuple(!id.is_apply, SecondsOf(entry->second), std::string_view(id.manager),
                      std::string_view(entry->second.api_version),
                      std::string_view(id.subresource));
  });
  json::array list(metadata->storage());
  list.reserve(entries.size());
  for (const auto* entry : entries)
    list.push_back(PrintEntry(entry->first, entry->second, metadata->storage()));
  metadata->get_object()["managedFields"] = std::move(list);
}

void DropManagedFields(json::value& object) {
  json::value* metadata = json::Find(object, {"metadata"});
  if (metadata != nullptr && metadata->is_object()) {
    metadata->get_object().stable_erase("managedFields");
  }
}

bool IsManagedFieldsReset(const json::value& object) {
  const json::value* list = json::Find(object, {"metadata", "managedFields"});
  if (list == nullptr || !list->is_array()) return false;
  const json::array& entries = list->get_array();
  return entries.empty() || (entries.size() == 1 && entries[0] == json::object());
}

void LimitUpdaters(ManagedFields& managed, size_t limit) {
  std::vector<std::pair<int64_t, ManagerId>> updaters;
  for (const auto& [id, entry] : managed) {
    if (!id.is_apply) updaters.emplace_back(SecondsOf(entry), id);
  }
  std::ranges::sort(updaters);
  size_t count = updaters.size();
  if (count > limit)
    for (auto& [id, entry] : managed) ParseFields(entry);
  std::map<std::string, ManagerId> first_of_version;
  for (const auto& [seconds, id] : updaters) {
    if (count <= limit) return;
    const ManagedEntry entry = managed.at(id);
    const auto [first, is_first] = first_of_version.emplace(entry.api_version, id);
    if (is_first) continue;
    const ManagerId bucket{.manager = "ancient-changes", .api_version = entry.api_version};
    if (!managed.contains(bucket)) {
      auto moved = managed.extract(first->second);
      moved.key() = bucket;
      managed.insert(std::move(moved));
    }
    ManagedEntry& joined = managed.at(bucket);
    joined.fields = joined.fields.Union(entry.fields);
    joined.time = entry.time;
    if (id != bucket) managed.erase(id);
    --count;
  }
}

}  // namespace berth::apiserver
