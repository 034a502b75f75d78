#include "workload/state/queue_reference_cache.h"

#include <optional>
#include <string>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"

namespace berth::workload {

bool QueueReferenceCache::Upsert(const api::ResourceFlavor& flavor) {
  auto [known, is_new] = flavors_.Insert(flavor.metadata.name);
  const bool is_same = !is_new && known.object.spec == flavor.spec;
  known.object = flavor;
  if (!is_same) known.matcher.emplace(flavor.spec);
  return !is_same;
}

void QueueReferenceCache::Upsert(const api::AdmissionCheck& check) {
  checks_.Insert(check.metadata.name).object = check;
}

bool QueueReferenceCache::Upsert(const api::Topology& topology) {
  auto [known, is_new] = topologies_.Insert(topology.metadata.name);
  const bool is_same = !is_new && known.spec == topology.spec;
  known = topology;
  return !is_same;
}

const api::ResourceFlavor* QueueReferenceCache::FindFlavor(std::string_view name) const {
  const Flavor* flavor = flavors_.Find(name);
  return flavor == nullptr ? nullptr : &flavor->object;
}

const FlavorMatcher* QueueReferenceCache::FindMatcher(std::string_view flavor) const {
  const Flavor* known = flavors_.Find(flavor);
  return known == nullptr ? nullptr : &*known->matcher;
}

std::vector<std::string_view> QueueReferenceCache::FlavorsOf(std::string_view topology) const {
  std::vector<std::string_view> names;
  for (const auto& [name, flavor] : flavors_)
    if (flavor.object.spec.topology_name == topology) names.push_back(name);
  return names;
}

QueueReferences::State QueueReferenceCache::FlavorState(std::string_view name) const {
  const Flavor* flavor = flavors_.Find(name);
  if (flavor == nullptr) return State::kMissing;
  const std::optional<std::string>& topology = flavor->object.spec.topology_name;
  const bool lacks_topology = has_topologies_ && topology && !topologies_.Contains(*topology);
  return lacks_topology ? State::kInactive : State::kActive;
}

QueueReferences::State QueueReferenceCache::CheckState(std::string_view name) const {
  const api::AdmissionCheck* check = checks_.Find(name);
  if (check == nullptr) return State::kMissing;
  const api::Condition* active =
      api::FindCondition(check->status.conditions, api::condition::kActive);
  const bool is_active =
      active == nullptr ? !trusts_status_ : active->status == api::kConditionTrue;
  return is_active ? State::kActive : State::kInactive;
}

std::string_view QueueReferenceCache::CheckController(std::string_view name) const {
  const api::AdmissionCheck* check = checks_.Find(name);
  return check == nullptr ? std::string_view() : std::string_view(check->spec.controller_name);
}

}  // namespace berth::workload
