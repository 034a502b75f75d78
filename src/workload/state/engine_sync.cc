#include "workload/state/engine_sync.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_topology.h"

namespace berth::workload {
namespace {

bool HasSameUsage(std::span<const engine::PodSetAssignment> a,
                  std::span<const engine::PodSetAssignment> b) {
  const auto sorted = [](const engine::PodSetAssignment& p) {
    std::vector<engine::ResourceAssignment> resources = p.resources;
    std::ranges::sort(resources, {}, &engine::ResourceAssignment::resource);
    return resources;
  };
  return std::ranges::equal(a, b, [&](const auto& x, const auto& y) {
    return x.count == y.count && sorted(x) == sorted(y) && x.domains == y.domains &&
           x.has_delayed_topology == y.has_delayed_topology;
  });
}

}  // namespace

void EngineSync::Sync(base::Time now,
                      const std::function<void(const std::string& workload)>& on_placed) {
  if (rules_.resources->has_queue_device_classes) caches_.queues.UpdateConflicts();
  if (caches_.nodes.is_enabled()) SyncTopologies();
  SyncCohorts();
  SyncClusterQueues();
  SyncLocalQueues();
  MarkAffectedWorkloads();
  for (const std::string& name : caches_.workloads.changed()) {
    WorkloadEntry* entry = caches_.workloads.entries().Find(name);
    if (entry == nullptr) continue;
    Place(*entry, now);
    on_placed(name);
    if (caches_.nodes.is_enabled()) caches_.nodes.SetPlaced(entry->object, CountsPods(*entry));
  }
  if (caches_.nodes.is_enabled()) caches_.nodes.SyncPods(now);
  RemoveDeletedClusterQueues();
  caches_.queues.ClearChanges();
  caches_.pods.ClearChanges();
  caches_.nodes.ClearChanges();
  caches_.workloads.ClearChanges();
}

// --- Topologies ----------------------------------------------------------------------------------

void EngineSync::SyncTopologies() {
  for (const std::string& name : caches_.nodes.changed_topologies()) {
    if (const api::Topology* topology = caches_.references.FindTopology(name)) {
      const engine::TopologySpec spec = ToEngine(*topology);
      engine_.SetTopology(spec);
      levels_[name] = spec.levels;
    } else {
      engine_.RemoveTopology(name);
      levels_.erase(name);
    }
  }
  for (const std::string& name : caches_.nodes.changed_flavors()) {
    const api::ResourceFlavor* flavor = caches_.references.FindFlavor(name);
    const engine::FlavorId id = engine_.Flavor(name);
    if (flavor == nullptr || !flavor->spec.topology_name) {
      engine_.RemoveTopologyFlavor(id);
      continue;
    }
    caches_.nodes.matches().SetTolerations(id, flavor->spec.tolerations);
    engine_.SetTopologyFlavor(ToTopologyFlavor(*flavor, engine_));
  }
  caches_.nodes.SyncNodes();
  if (caches_.nodes.changed_topologies().empty() && caches_.nodes.changed_flavors().empty()) return;
  for (const auto& [name, entry] : caches_.workloads.entries())
    caches_.nodes.SetPlaced(entry.object, CountsPods(entry));
}

bool EngineSync::CountsPods(const WorkloadEntry& entry) const {
  if (entry.id.is_none() || !engine_.IsReserved(entry.id)) return false;
  if (!HoldsQuota(entry.object) || !HasPlacement(entry.object)) return false;
  const auto has_leaves = [&](const api::PodSetAssignment& pods) {
    return std::ranges::any_of(pods.flavors, [&](const auto& resource) {
      return HasSameLeaves(pods.topology_assignment->levels,
                           engine_.TopologyLevels(engine_.Flavor(resource.second)));
    });
  };
  return std::ranges::all_of(
      entry.object.status.admission->pod_set_assignments,
      [&](const auto& pods) { return !pods.topology_assignment || has_leaves(pods); });
}

TopologyFlavor EngineSync::TopologyOf(const api::FlavorQuotas& quotas,
                                      const api::ResourceGroup& group) {
  TopologyFlavor result{.covered = &group.covered_resources};
  const api::ResourceFlavor* flavor = caches_.references.FindFlavor(quotas.name);
  if (flavor == nullptr || !flavor->spec.topology_name) return result;
  // A missing Topology has no levels; its queue is inactive.
  result.levels = &levels_[*flavor->spec.topology_name];
  return result;
}

// --- Queues --------------------------------------------------------------------------------------

void EngineSync::SyncCohorts() {
  for (const std::string& name : caches_.queues.changes().cohorts) {
    if (const api::Cohort* cohort = caches_.queues.cohorts().Find(name))
      engine_.SetCohort(ToEngine(*cohort, engine_));
    else
      engine_.RemoveCohort(name);
  }
}

void EngineSync::SyncClusterQueues() {
  for (const std::string& name : caches_.queues.changes().cluster_queues)
    if (ClusterQueueEntry* entry = caches_.queues.cluster_queues().Find(name))
      SyncClusterQueue(*entry);
  // Which pods a flavor suits is not part of the queue's spec, nor of the workloads' keys.
  for (const std::string& name : caches_.queues.changes().users_of_flavors)
    if (const ClusterQueueEntry* entry = caches_.queues.cluster_queues().Find(name))
      engine_.RequeueInadmissible(entry->id);
}

void EngineSync::SyncClusterQueue(ClusterQueueEntry& entry) {
  const api::ClusterQueueSpec& spec = entry.object.spec;
  if (!entry.filter) entry.filter.emplace(rules_.resources, spec, prefixes_);
  const bool is_active =
      caches_.queues.InactiveReasonOf(entry.object.metadata.name, caches_.references).empty();
  engine::ClusterQueueSpec engine_spec = ToEngine(entry.object, is_active, engine_);
  engine_spec.counts_pods = entry.filter->CountsPods();
  if (caches_.nodes.is_enabled())
    AddDelayedTopologies(spec, caches_.references, engine_, engine_spec);
  entry.id = engine_.SetClusterQueue(engine_spec);
  entry.namespace_selector =
      api::Selector::Compile(spec.namespace_selector).value_or(api::Selector());
  entry.flavors.clear();
  for (const api::ResourceGroup& group : spec.resource_groups) {
    for (const api::FlavorQuotas& quotas : group.flavors)
      entry.flavors.push_back({.id = engine_.Flavor(quotas.name),
                               .name = quotas.name,
                               .matcher = caches_.references.FindMatcher(quotas.name),
                               .topology = TopologyOf(quotas, group)});
  }
  std::ranges::sort(entry.flavors, {}, &QueueFlavor::id);
}

void EngineSync::SyncLocalQueues() {
  for (const std::string& name : caches_.queues.changes().local_queues) {
    const api::LocalQueue* queue = caches_.queues.local_queues().Find(name);
    if (queue == nullptr) continue;
    const std::vector<engine::ConsumedResource> consumed =
        ConsumedResources(queue->status, engine_);
    engine_.SetLocalQueueUsage(engine_.LocalQueue(name), FairWeight(queue->spec.fair_sharing),
                               consumed);
  }
}

void EngineSync::RemoveDeletedClusterQueues() {
  for (const engine::NodeId queue : caches_.queues.changes().removed_cluster_queues) {
    const bool is_back = caches_.queues.cluster_queues().Contains(engine_.ClusterQueueName(queue));
    if (!is_back) engine_.RemoveClusterQueue(queue);
  }
}

// --- Workloads -----------------------------------------------------------------------------------

bool EngineSync::IsAffected(const WorkloadEntry& entry) const {
  const QueueCache::Changes& changes = caches_.queues.changes();
  const api::Workload& workload = entry.object;
  if (caches_.pods.HasChanged(workload.metadata.namespace_)) return true;
  if (workload.status.admission)
    return changes.cluster_queues.Contains(workload.status.admission->cluster_queue);
  const std::string local =
      NamespacedName(workload.metadata.namespace_, workload.spec.queue_name.value_or(""));
  if (changes.local_queue_specs.Contains(local)) return true;
  const api::LocalQueue* queue = caches_.queues.local_queues().Find(local);
  return queue != nullptr &&
         changes.cluster_queues.Contains(queue->spec.cluster_queue.value_or(""));
}

void EngineSync::MarkAffectedWorkloads() {
  const QueueCache::Changes& changes = caches_.queues.changes();
  if (changes.cluster_queues.empty() && changes.local_queue_specs.empty() &&
      !caches_.pods.has_changes())
    return;
  for (auto& [name, entry] : caches_.workloads.entries())
    if (IsAffected(entry)) caches_.workloads.MarkChanged(entry, true);
}

bool EngineSync::IsDecisionInFlight(const WorkloadEntry& entry) const {
  if (entry.id.is_none() || !engine_.IsReserved(entry.id) ||
      !caches_.queues.cluster_queues().Contains(
          engine_.ClusterQueueName(engine_.ClusterQueueOf(entry.id))))
    return false;
  if (!HoldsQuota(entry.object)) return true;
  return caches_.nodes.is_enabled() && SecondPassOf(entry.object) != engine::SecondPass::kNone &&
         engine_.SecondPassOf(entry.id) == engine::SecondPass::kNone;
}

void EngineSync::Remove(WorkloadEntry& entry) {
  if (!entry.id.is_none()) engine_.Remove(entry.id);
  entry.id = engine::WorkloadId::None();
}

void EngineSync::Place(WorkloadEntry& entry, base::Time now) {
  entry.is_changed = false;
  const bool is_applied = std::exchange(entry.is_applied, false);
  if (!is_applied && IsDecisionInFlight(entry)) return;
  if (HoldsQuota(entry.object)) {
    const ClusterQueueEntry* queue =
        caches_.queues.cluster_queues().Find(entry.object.status.admission->cluster_queue);
    if (queue != nullptr) return PlaceReserved(entry, *queue);
  } else if (MayWait(entry.object, rules_)) {
    const ClusterQueueEntry* queue = caches_.queues.FindPendingQueueOf(entry.object);
    if (queue != nullptr) return PlacePending(entry, *queue, now);
  }
  Remove(entry);
  entry.must_describe = false;
}

bool EngineSync::HasReservation(const WorkloadEntry& entry,
                                const engine::ReservedSpec& spec) const {
  return !entry.id.is_none() && engine_.IsReserved(entry.id) &&
         engine_.ClusterQueueOf(entry.id) == spec.cluster_queue &&
         engine_.state().workload(entry.id).priority == spec.priority &&
         HasSameUsage(engine_.AssignmentOf(entry.id), spec.pod_sets) &&
         engine_.SecondPassOf(entry.id) == spec.second_pass &&
         engine_.FailedNodesOf(entry.id) == spec.failed_nodes;
}

void EngineSync::PlaceReserved(WorkloadEntry& entry, const ClusterQueueEntry& queue) {
  engine::ReservedSpec spec = DescribeReserved(entry.object, queue);
  entry.must_describe = false;
  if (HasReservation(entry, spec)) {
    if (spec.is_evicted) engine_.MarkEvicted(entry.id);
    return;
  }
  Remove(entry);
  entry.id = engine_.AddReserved(std::move(spec));
}

void EngineSync::PlacePending(WorkloadEntry& entry, const ClusterQueueEntry& queue,
                              base::Time now) {
  const bool is_new = entry.id.is_none();
  const bool held_quota = !is_new && engine_.IsReserved(entry.id);
  if (!is_new && !held_quota && !entry.must_describe) return;
  entry.must_describe = false;
  engine::PendingSpec spec = Describe(entry.object, queue);
  if (is_new) {
    entry.id = engine_.AddPending(std::move(spec), now);
  } else if (held_quota) {
    engine_.Release(entry.id, std::move(spec), now);
  } else {
    engine_.UpdatePending(entry.id, std::move(spec), now);
  }
}

WaitingContext EngineSync::ContextFor(const api::Workload& workload,
                                      const ClusterQueueEntry& queue) {
  return {.cluster_queue = queue.id,
          .filter = &*queue.filter,
          .claims = caches_.claims.claims(),
          .namespace_selector = &queue.namespace_selector,
          .flavors = queue.flavors,
          .namespace_labels = &caches_.pods.LabelsOf(workload.metadata.namespace_),
          .limits = &caches_.pods.LimitsOf(workload.metadata.namespace_),
          .overheads = &caches_.pods.overheads(),
          .replaces_uid = {},
          .matches = caches_.nodes.is_enabled() ? &caches_.nodes.matches() : nullptr};
}

engine::PendingSpec EngineSync::Describe(const api::Workload& workload,
                                         const ClusterQueueEntry& queue) {
  WaitingContext context = ContextFor(workload, queue);
  if (const std::string replaced = ReplacedSlice(workload); !replaced.empty()) {
    if (const api::Workload* slice = caches_.workloads.Find(replaced))
      context.replaces_uid = slice->metadata.uid;
  }
  return ToPending(workload, context, rules_, engine_);
}

engine::ReservedSpec EngineSync::DescribeReserved(const api::Workload& workload,
                                                  const ClusterQueueEntry& queue) {
  engine::ReservedSpec spec =
      ToReserved(workload, queue.id, rules_, engine_, SharedRequests(workload, queue));
  if (caches_.nodes.is_enabled()) AddTopology(workload, ContextFor(workload, queue), engine_, spec);
  return spec;
}

base::FlatMap<Requests> EngineSync::SharedRequests(const api::Workload& workload,
                                                   const ClusterQueueEntry& queue) const {
  base::FlatMap<Requests> shared;
  if (!caches_.claims.counts_devices() || workload.status.reclaimable_pods.empty()) return shared;
  std::vector<PodSetDemand> demands = DemandOf(workload.spec.pod_sets, {}, *rules_.resources);
  caches_.claims.AddDevicesOf(workload, workload.spec.pod_sets, demands);
  for (PodSetTotals& totals : queue.filter->Count(demands).pod_sets) {
    if (!totals.shared.empty()) shared.Set(totals.name, std::move(totals.shared));
  }
  return shared;
}

}  // namespace berth::workload
