#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/engine.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/resource_prefixes.h"
#include "workload/state/object_caches.h"
#include "workload/topology/too_large_placement.h"

namespace berth::workload {

// Translates changed objects to events of the engine.
class EngineSync {
 public:
  // All arguments must outlive this.
  EngineSync(const WorkloadRules& rules, ObjectCaches& caches, engine::Engine& engine)
      : rules_(rules), caches_(caches), engine_(engine) {
    if (!caches_.nodes.is_enabled()) return;
    engine_.SetNodeMatcher(
        [this](engine::NodeMatchId match, engine::FlavorId flavor, engine::ClusterNodeId node) {
          return caches_.nodes.matches().Match(match, flavor, node);
        });
    engine_.SetPlacementSizer([this](const engine::PodSetPlacement& placement) {
      return BytesOf(placement, engine_, rules_.topology_cuts);
    });
  }

  // Applies all changes since the last Sync to the engine, and calls `on_placed` for every Workload
  // that changed or depends on a change.
  void Sync(base::Time now, const std::function<void(const std::string& workload)>& on_placed);

  // Removes the Workload from the engine.
  void Remove(WorkloadEntry& entry);

  // The engine's spec of a pending workload. The caches must be in sync.
  engine::PendingSpec Describe(const api::Workload& workload, const ClusterQueueEntry& queue);
  // The same of a workload with quota in this queue.
  engine::ReservedSpec DescribeReserved(const api::Workload& workload,
                                        const ClusterQueueEntry& queue);

 private:
  void SyncTopologies();
  void SyncCohorts();
  TopologyFlavor TopologyOf(const api::FlavorQuotas& quotas, const api::ResourceGroup& group);
  WaitingContext ContextFor(const api::Workload& workload, const ClusterQueueEntry& queue);
  void SyncClusterQueues();
  void SyncClusterQueue(ClusterQueueEntry& entry);
  void SyncLocalQueues();
  void MarkAffectedWorkloads();
  bool IsAffected(const WorkloadEntry& entry) const;
  void RemoveDeletedClusterQueues();

  // Whether the engine has reserved quota, or found a place in a second pass, and the object does
  // not show it yet.
  bool IsDecisionInFlight(const WorkloadEntry& entry) const;
  void Place(WorkloadEntry& entry, base::Time now);
  void PlaceReserved(WorkloadEntry& entry, const ClusterQueueEntry& queue);
  void PlacePending(WorkloadEntry& entry, const ClusterQueueEntry& queue, base::Time now);
  // Whether the engine counts all pods of the Workload that have a place. Pods in a flavor that has
  // no topology any more, or one with other leaves, count on their nodes instead.
  bool CountsPods(const WorkloadEntry& entry) const;
  // Whether the engine's reservation already is what the spec says.
  bool HasReservation(const WorkloadEntry& entry, const engine::ReservedSpec& spec) const;
  // By pod set, the requests that its pods share, if some of its pods may be reclaimable.
  base::FlatMap<Requests> SharedRequests(const api::Workload& workload,
                                         const ClusterQueueEntry& queue) const;

  const WorkloadRules& rules_;
  ObjectCaches& caches_;
  engine::Engine& engine_;
  ResourcePrefixPool prefixes_;
  std::map<std::string, std::vector<std::string>, std::less<>> levels_;  // by Topology
};

}  // namespace berth::workload
