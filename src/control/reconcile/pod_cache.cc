#include "control/reconcile/pod_cache.h"

#include <optional>
#include <utility>

#include "jobs/pods/pod_group.h"
#include "schema/decode.h"
#include "store/resource_version.h"

namespace berth::control {
namespace {

std::optional<KnownPod> ReadPod(const store::Object& object) {
  auto pod = schema::Decode<api::Pod>(object.text());
  auto tree = json::Parse(object.text());
  if (!pod || !tree) return std::nullopt;
  return KnownPod{.pod = std::move(*pod), .tree = std::move(*tree)};
}

}  // namespace

PodUnitKey PodCache::UnitOf(const api::Pod& pod) const {
  const std::string group = jobs::PodGroupName(pod.metadata, reads_annotations_);
  const bool is_group = !group.empty();
  return {.namespace_ = pod.metadata.namespace_,
          .name = is_group ? group : pod.metadata.name,
          .is_group = is_group};
}

void PodCache::OnUpsert(const store::Object& object) {
  std::optional<KnownPod> known = ReadPod(object);
  if (!known) return;
  const auto old = pods_.find(object.key());
  if (old != pods_.end()) OnDelete(old);
  Entry entry{.known = std::move(*known), .text = object, .unit = {}};
  entry.unit = UnitOf(entry.known.pod);
  units_[entry.unit].insert(object.key());
  by_uid_.insert_or_assign(object.uid, entry.unit);
  pods_.insert_or_assign(object.key(), std::move(entry));
}

void PodCache::OnDelete(std::map<store::ObjectName, Entry>::iterator entry) {
  const auto unit = units_.find(entry->second.unit);
  unit->second.erase(entry->first);
  if (unit->second.empty()) units_.erase(unit);
  by_uid_.erase(entry->second.text.uid);
  pods_.erase(entry);
}

std::vector<PodUnitKey> PodCache::OnWatchEvent(const store::ObjectName& name,
                                               const store::Object* object) {
  const auto known = pods_.find(name);
  if (object != nullptr && known != pods_.end() && known->second.text.uid == object->uid &&
      !store::IsOlderVersion(known->second.text.resource_version, object->resource_version))
    return {};
  std::vector<PodUnitKey> changed;
  if (known != pods_.end()) changed.push_back(known->second.unit);
  if (known != pods_.end() && object == nullptr) OnDelete(known);
  if (object == nullptr) return changed;
  OnUpsert(*object);
  if (const Entry* now = FindPod(name);
      now != nullptr && (changed.empty() || now->unit != changed.front()))
    changed.push_back(now->unit);
  return changed;
}

PodUnit PodCache::Find(const PodUnitKey& key) const {
  PodUnit unit{.group = key.is_group ? key.name : "", .pods = {}};
  if (const auto* names = FindNames(key))
    for (const store::ObjectName& name : *names) unit.pods.push_back(pods_.at(name).known);
  return unit;
}

const std::set<store::ObjectName>* PodCache::FindNames(const PodUnitKey& key) const {
  const auto found = units_.find(key);
  return found == units_.end() ? nullptr : &found->second;
}

const PodCache::Entry* PodCache::FindPod(const store::ObjectName& name) const {
  const auto found = pods_.find(name);
  return found == pods_.end() ? nullptr : &found->second;
}

const PodUnitKey* PodCache::FindByUid(std::string_view uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

void PodCache::ForEach(const std::function<void(const PodUnitKey&, const KnownPod&)>& visit) const {
  for (const auto& [name, entry] : pods_) visit(entry.unit, entry.known);
}

}  // namespace berth::control
