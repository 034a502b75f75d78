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
         quota.reason == api::reason::kWaitingForPodsReady ||
         quota.reason == api::reason::kSuspended || !IsCurrent(quota, workload);
}

// Reasons that equivalent workloads share.
bool IsShared(std::string_view why) {
  return why == api::reason::kWaitingForQuota || why == api::reason::kExceedsMaxQuota ||
         why == api::reason::kNoMatchingFlavor || why == api::reason::kAdmissionConstrained;
}

bool MayBecome(const api::Condition& quota, const WorkloadChange& reason,
               const api::Workload& workload) {
  return quota.status != api::kConditionTrue &&
         (MayBeReplaced(quota, workload) ||
          (IsShared(quota.reason) && quota.reason != reason.reason));
}

}  // namespace

bool IsServed(const api::Workload& workload, engine::WorkloadId id,
              const workload::ClusterState& cluster) {
  const api::LocalQueue* queue = cluster.FindLocalQueueOf(workload);
  const engine::Engine& engine = cluster.engine();
  return queue != nullptr && !workload::IsStopped(queue->spec.stop_policy) &&
         InactiveReason(engine.ClusterQueueName(engine.ClusterQueueOf(id)), cluster).empty();
}

bool IsUnexplained(const api::Workload& workload, const workload::ClusterState& cluster) {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  return (quota == nullptr ||
          (quota->status != api::kConditionTrue && MayBeReplaced(*quota, workload))) &&
         workload::MayWait(workload, cluster.rules());
}

std::optional<EquivalenceReasons::Key> EquivalenceReasons::KeyOf(
    engine::WorkloadId id, const workload::ClusterState& cluster) {
  const engine::State& state = cluster.engine().state();
  const engine::ShapeId shape = state.workload(id).shape;
  if (shape.is_none()) return std::nullopt;
  const engine::EquivalenceKey key = state.shape(shape).key;
  if (key == engine::EquivalenceKey()) return std::nullopt;  // equivalent to no other
  return Key(cluster.engine().ClusterQueueOf(id), key);
}

bool EquivalenceReasons::OnUpsert(const WorkloadChange& change,
                                  const workload::ClusterState& cluster) {
  if (change.kind != WorkloadChange::Kind::kWait || !change.is_inadmissible) return false;
  const auto key = KeyOf(change.id, cluster);
  if (!key) return false;
  const auto known = reasons_.find(*key);
  const bool is_other = known == reasons_.end() || known->second.reason != change.reason;
  reasons_.insert_or_assign(*key, change);
  return is_other;
}

void EquivalenceReasons::Prune(const workload::ClusterState& cluster) {
  if (reasons_.size() <= kManyReasons) return;
  std::erase_if(reasons_, [&](const auto& entry) {
    return !cluster.engine().IsInadmissible(entry.first.first, entry.first.second);
  });
}

std::optional<WorkloadChange> EquivalenceReasons::For(const api::Workload& workload,
                                                      const workload::ClusterState& cluster,
                                                      bool is_newly_eligible) const {
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(workload.metadata.uid);
  if (id.is_none() || engine.IsReserved(id) || !workload::MayWait(workload, cluster.rules()))
    return std::nullopt;
  const auto key = KeyOf(id, cluster);
  const auto found = key ? reasons_.find(*key) : reasons_.end();
  if (found == reasons_.end() || !engine.IsInadmissible(key->first, key->second))
    return std::nullopt;
  const std::string name = workload::NamespacedName(workload.metadata);
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  if (quota != nullptr && !MayBecome(*quota, found->second, workload)) return std::nullopt;
  if (quota != nullptr && found->second.workload == name && IsCurrent(*quota, workload))
    return std::nullopt;
  if (!IsServed(workload, id, cluster)) return std::nullopt;
  WorkloadChange change = found->second;
  change.id = id;
  change.workload = name;
  change.targets.clear();
  change.is_silent = !is_newly_eligible;
  if (change.is_silent && quota != nullptr) change.requests = workload.status.resource_requests;
  return change;
}

}  // namespace berth::control
