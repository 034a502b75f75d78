#include "control/report/equivalence_reasons.h"

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/queue_status.h"
#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

bool IsCurrent(const api::Condition& quota, const api::Workload& workload) {
  return quota.observed_generation == workload.metadata.generation;
}

// The condition is outdated or its reason is not one of the scheduler.
bool MayBeReplaced(const api::Condition& quota, const api::Workload& workload) {
  return quota.reason == api::reason::kDeactivated ||
         quota.reason == api::reason::kPendingEvaluation ||
         quota.reason == api::reason::kSuspended || !IsCurrent(quota, workload);
}

// Both queues are active. Otherwise the pending reason is that of the queue.
bool IsServed(const api::Workload& workload, engine::WorkloadId id,
              const workload::ClusterState& cluster) {
  const api::LocalQueue* queue = cluster.FindLocalQueue(workload::NamespacedName(
      workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
  const engine::Engine& engine = cluster.engine();
  return queue != nullptr && !workload::IsStopped(queue->spec.stop_policy) &&
         WhyInactive(engine.ClusterQueueName(engine.ClusterQueueOf(id)), cluster).empty();
}

}  // namespace

std::optional<EquivalenceReasons::Key> EquivalenceReasons::KeyOf(
    engine::WorkloadId id, const workload::ClusterState& cluster) {
  const engine::State& state = cluster.engine().state();
  const engine::ShapeId shape = state.workload(id).shape;
  if (shape.is_none()) return std::nullopt;
  const engine::EquivalenceKey key = state.shape(shape).key;
  if (key == engine::EquivalenceKey()) return std::nullopt;  // equivalent to no other
  return Key(cluster.engine().ClusterQueueOf(id), key);
}

void EquivalenceReasons::OnUpsert(const WorkloadChange& change,
                                  const workload::ClusterState& cluster) {
  OnDelete(change.workload);
  if (change.kind != WorkloadChange::Kind::kWait || !change.is_inadmissible) return;
  const auto key = KeyOf(change.id, cluster);
  if (!key) return;
  if (const auto other = reasons_.find(*key); other != reasons_.end())
    OnDelete(std::string(other->second.workload));
  reasons_.emplace(*key, change);
  keys_.emplace(change.workload, *key);
}

void EquivalenceReasons::OnDelete(std::string_view workload) {
  const auto key = keys_.find(workload);
  if (key == keys_.end()) return;
  reasons_.erase(key->second);
  keys_.erase(key);
}

std::optional<WorkloadChange> EquivalenceReasons::For(const api::Workload& workload,
                                                      const workload::ClusterState& cluster,
                                                      bool is_newly_eligible) const {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  if (quota == nullptr || quota->status == api::kConditionTrue ||
      !MayBeReplaced(*quota, workload) || !workload::MayWait(workload, cluster.rules()))
    return std::nullopt;
  const engine::WorkloadId id = cluster.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || cluster.engine().IsReserved(id) || !IsServed(workload, id, cluster))
    return std::nullopt;
  const auto key = KeyOf(id, cluster);
  const auto found = key ? reasons_.find(*key) : reasons_.end();
  if (found == reasons_.end() || (found->second.id == id && IsCurrent(*quota, workload)))
    return std::nullopt;
  WorkloadChange change = found->second;
  change.id = id;
  change.workload = workload::NamespacedName(workload.metadata);
  change.targets.clear();
  change.is_silent = !is_newly_eligible;
  if (change.is_silent) change.requests = workload.status.resource_requests;
  return change;
}

}  // namespace berth::control
