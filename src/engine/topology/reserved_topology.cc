// The usage of nodes by workloads that hold quota.

#include <algorithm>

#include "engine/state.h"

namespace berth::engine {

const PodSetPlacement* ReservedTopology::Find(uint32_t pod_set) const {
  const auto at = std::ranges::find(placements, pod_set, &PodSetPlacement::pod_set);
  return at == placements.end() ? nullptr : &*at;
}

void State::AddTopologyUsage(const Workload& w, std::span<const PodSetPlacement> placements,
                             int32_t times) {
  if (!topologies || w.topology() == nullptr) return;
  for (const PodSetPlacement& placement : placements)
    topologies->AddUsage(w.topology()->pod_sets[placement.pod_set], placement, times);
}

void State::AddPlacementsOf(const Workload& w, int32_t times) {
  if (w.reservation->topology) AddTopologyUsage(w, w.reservation->topology->placements, times);
}

// The flavor with the topology is the first one of the podset that has one now.
void State::RecountTopologyUsage() {
  for (Workload& w : workloads) {
    if (!w.reservation || !w.reservation->topology) continue;
    for (PodSetPlacement& placement : w.reservation->topology->placements) {
      for (const ResourceAssignment& resource : w.reservation->ResourcesOf(placement.pod_set)) {
        if (topologies->Find(resource.flavor) == nullptr) continue;
        placement.flavor = resource.flavor;
        break;
      }
    }
    AddPlacementsOf(w, 1);
  }
}

}  // namespace berth::engine
