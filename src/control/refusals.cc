#include "control/refusals.h"

#include "api/conditions.h"
#include "api/well_known.h"
#include "control/queue_status.h"
#include "workload/convert_queue.h"
#include "workload/convert_workload.h"

namespace berth::control {
namespace {

bool IsOfNow(const api::Condition& quota, const api::Workload& workload) {
  return quota.observed_generation == workload.metadata.generation;
}

// Out of date, or not a reason of the scheduler, which may be.
bool MayBeReplaced(const api::Condition& quota, const api::Workload& workload) {
  return quota.reason == api::reason::kDeactivated ||
         quota.reason == api::reason::kPendingEvaluation ||
         quota.reason == api::reason::kSuspended || !IsOfNow(quota, workload);
}

// Its queues go on. What waits for them to says that.
bool IsServed(const api::Workload& workload, engine::WorkloadId id,
              const workload::EngineFeed& feed) {
  const api::LocalQueue* queue = feed.FindLocalQueue(workload::NamespacedName(
      workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
  const engine::Engine& engine = feed.engine();
  return queue != nullptr && !workload::IsStopped(queue->spec.stop_policy) &&
         WhyInactive(engine.ClusterQueueName(engine.ClusterQueueOf(id)), feed).empty();
}

}  // namespace

std::optional<Refusals::Key> Refusals::KeyOf(engine::WorkloadId id,
                                             const workload::EngineFeed& feed) {
  const engine::State& state = feed.engine().state();
  const engine::ShapeId shape = state.workload(id).shape;
  if (shape.is_none()) return std::nullopt;
  const engine::EquivalenceKey key = state.shape(shape).key;
  if (key == engine::EquivalenceKey()) return std::nullopt;  // equal to no other
  return Key(feed.engine().ClusterQueueOf(id), key);
}

void Refusals::Learn(const WorkloadChange& change, const workload::EngineFeed& feed) {
  Forget(change.workload);
  if (change.kind != WorkloadChange::Kind::kWait || !change.is_parked) return;
  const auto key = KeyOf(change.id, feed);
  if (!key) return;
  if (const auto other = refusals_.find(*key); other != refusals_.end())
    Forget(std::string(other->second.workload));
  refusals_.emplace(*key, change);
  keys_.emplace(change.workload, *key);
}

void Refusals::Forget(std::string_view workload) {
  const auto key = keys_.find(workload);
  if (key == keys_.end()) return;
  refusals_.erase(key->second);
  keys_.erase(key);
}

std::optional<WorkloadChange> Refusals::For(const api::Workload& workload,
                                            const workload::EngineFeed& feed,
                                            bool has_just_joined) const {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  if (quota == nullptr || quota->status == api::kConditionTrue ||
      !MayBeReplaced(*quota, workload) || !workload::MayWait(workload, feed.rules()))
    return std::nullopt;
  const engine::WorkloadId id = feed.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || feed.engine().IsReserved(id) || !IsServed(workload, id, feed))
    return std::nullopt;
  const auto key = KeyOf(id, feed);
  const auto found = key ? refusals_.find(*key) : refusals_.end();
  if (found == refusals_.end() || (found->second.id == id && IsOfNow(*quota, workload)))
    return std::nullopt;
  WorkloadChange change = found->second;
  change.id = id;
  change.workload = workload::NamespacedName(workload.metadata);
  change.victims.clear();
  change.is_silent = !has_just_joined;
  if (change.is_silent) change.requests = workload.status.resource_requests;
  return change;
}

}  // namespace berth::control
