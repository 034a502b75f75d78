#include "control/placement/node_health.h"

#include <algorithm>
#include <utility>

#include "api/meta/conditions.h"
#include "workload/convert/convert_topology.h"
#include "workload/node_rules.h"

namespace berth::control {

NodeHealth NodeHealth::From(const api::Node& node) {
  NodeHealth health{.name = node.metadata.name};
  if (const api::CoreCondition* ready = workload::FindReady(node)) {
    const bool is_ready = ready->status == api::kConditionTrue;
    health.readiness = is_ready ? Readiness::kReady : Readiness::kNotReady;
    if (!is_ready) health.not_ready_since = ready->last_transition_time.value_or(base::Time());
  }
  std::ranges::copy_if(node.spec.taints, std::back_inserter(health.taints),
                       &workload::KeepsPodsOff);
  return health;
}

std::set<std::string> NodeHealthCache::Upsert(const api::Node& node) {
  Known known{.host = workload::HostOf(node), .health = NodeHealth::From(node)};
  const auto found = nodes_.find(node.metadata.name);
  if (found != nodes_.end() && found->second == known) return {};
  std::set<std::string> changed = Erase(node.metadata.name);
  changed.insert(known.host);
  by_host_[known.host].insert(node.metadata.name);
  nodes_.insert_or_assign(node.metadata.name, std::move(known));
  return changed;
}

std::set<std::string> NodeHealthCache::Erase(std::string_view name) {
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return {};
  const std::string host = std::move(found->second.host);
  const auto names = by_host_.find(host);
  names->second.erase(found->first);
  if (names->second.empty()) by_host_.erase(names);
  nodes_.erase(found);
  return {host};
}

const NodeHealth* NodeHealthCache::Find(std::string_view host) const {
  const auto names = by_host_.find(host);
  return names == by_host_.end() ? nullptr : &nodes_.at(*names->second.begin()).health;
}

}  // namespace berth::control
