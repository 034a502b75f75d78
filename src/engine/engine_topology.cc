// Events of nodes and topologies.

#include <algorithm>

#include "engine/engine_parts.h"
#include "engine/explain/topology_room.h"

namespace berth::engine {

void Engine::Parts::TopologiesChanged() {
  state.RecountTopologyUsage();
  for (Queue& queue : state.queues)
    if (!queue.node.is_none()) pending.RequeueInadmissible(queue.node);
}

void Engine::Parts::MarkUsersOf(std::string_view name) {
  const std::vector<FlavorId> flavors = state.topologies->FlavorsOf(name);
  const auto has = [](const std::vector<FlavorId>& all, FlavorId flavor) {
    return std::ranges::find(all, flavor) != all.end();
  };
  for (const FlavorId flavor : flavors)
    if (!has(changed_flavors, flavor)) changed_flavors.push_back(flavor);
  for (const WorkloadId id : state.second_pass) {
    ReservedTopology& held = *state.workload(id).reservation->topology;
    const bool is_affected = std::ranges::any_of(
        held.placements, [&](const PodSetPlacement& p) { return has(flavors, p.flavor); });
    if (is_affected) held.not_before = {};
  }
}

void Engine::Parts::RequeueUsersOfChangedFlavors() {
  const auto uses_changed = [&](const Queue::Group& group) {
    return std::ranges::any_of(group.flavors, [&](FlavorId flavor) {
      return std::ranges::find(changed_flavors, flavor) != changed_flavors.end();
    });
  };
  for (const Queue& queue : state.queues)
    if (!queue.node.is_none() && std::ranges::any_of(queue.groups, uses_changed))
      pending.RequeueInadmissible(queue.node);
  changed_flavors.clear();
}

std::unique_ptr<ReservedTopology> Engine::Parts::PlacementsOf(const ReservedSpec& spec) const {
  std::unique_ptr<ReservedTopology> topology;
  for (uint32_t i = 0; i < spec.pod_sets.size(); ++i) {
    const PodSetAssignment& pod_set = spec.pod_sets[i];
    if (pod_set.domains.empty() && !pod_set.has_delayed_topology) continue;
    if (!topology) topology = std::make_unique<ReservedTopology>();
    PodSetPlacement& placement = topology->placements.emplace_back();
    placement = {
        .pod_set = i, .is_delayed = pod_set.has_delayed_topology, .domains = pod_set.domains};
    for (const ResourceAssignment& resource : pod_set.resources) {
      placement.flavor = resource.flavor;
      if (state.topologies->Find(resource.flavor) != nullptr) break;
    }
  }
  if (!topology) return nullptr;
  topology->second_pass = spec.second_pass;
  topology->failed_nodes = spec.failed_nodes;
  return topology;
}

void Engine::SetTopology(const TopologySpec& spec) {
  parts_->state.topologies->SetTopology(spec);
  parts_->TopologiesChanged();
}

void Engine::RemoveTopology(std::string_view name) {
  parts_->state.topologies->RemoveTopology(name);
  parts_->TopologiesChanged();
}

void Engine::SetTopologyFlavor(const TopologyFlavorSpec& spec) {
  parts_->state.topologies->SetFlavor(spec);
  parts_->TopologiesChanged();
}

void Engine::RemoveTopologyFlavor(FlavorId flavor) {
  parts_->state.topologies->RemoveFlavor(flavor);
  parts_->TopologiesChanged();
}

void Engine::SetNodeMatcher(NodeMatcher matcher) {
  parts_->state.topologies->SetMatcher(std::move(matcher));
}

void Engine::SetPlacementSizer(PlacementSizer sizer) {
  parts_->state.placement_sizer = std::move(sizer);
}

ClusterNodeId Engine::SetNode(const ClusterNodeSpec& spec) {
  return parts_->state.topologies->SetNode(spec);
}

void Engine::RemoveNode(std::string_view name) { parts_->state.topologies->RemoveNode(name); }

void Engine::SetOtherNodeUsage(std::string_view node, std::span<const Request> requests) {
  parts_->state.topologies->SetOtherUsage(node, requests);
}

void Engine::RequeueUsersOf(std::string_view node) { parts_->MarkUsersOf(node); }

std::vector<std::string> Engine::TopologyLevels(FlavorId flavor) const {
  if (!parts_->state.topologies) return {};
  const TopologyForest* forest = parts_->state.topologies->Find(flavor);
  return forest == nullptr ? std::vector<std::string>() : forest->levels();
}

std::vector<std::string> Engine::DomainValues(DomainPathId path) const {
  return parts_->state.topologies->ValuesOf(path);
}

std::optional<TopologyRoom> Engine::RoomFor(FlavorId flavor, const PodSetTopology& pods,
                                            int32_t count) const {
  parts_->Sync();
  State& state = parts_->state;
  if (!state.topologies || state.topologies->Find(flavor) == nullptr) return std::nullopt;
  return FindRoom(state, flavor, pods, count, nullptr);
}

SecondPass Engine::SecondPassOf(WorkloadId id) const {
  const Reservation* reservation = parts_->state.workload(id).reservation.get();
  return reservation == nullptr || !reservation->topology ? SecondPass::kNone
                                                          : reservation->topology->second_pass;
}

std::vector<std::string> Engine::FailedNodesOf(WorkloadId id) const {
  const Reservation* reservation = parts_->state.workload(id).reservation.get();
  return reservation == nullptr || !reservation->topology ? std::vector<std::string>()
                                                          : reservation->topology->failed_nodes;
}

std::optional<base::Time> Engine::NextSecondPass(base::Time now) const {
  std::optional<base::Time> next;
  for (const WorkloadId id : parts_->state.second_pass) {
    const base::Time at = parts_->state.workload(id).reservation->topology->not_before;
    if (now < at && (!next || at < *next)) next = at;
  }
  return next;
}

void Engine::DelaySecondPass(WorkloadId id, base::Time until) {
  Reservation* reservation = parts_->state.workload(id).reservation.get();
  if (reservation == nullptr || !reservation->topology) return;
  base::Time& not_before = reservation->topology->not_before;
  not_before = std::max(not_before, until);
}

DomainPathId Engine::DomainPath(std::span<const std::string> values) {
  return parts_->state.topologies->Path(values);
}

}  // namespace berth::engine
