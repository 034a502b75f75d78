#include "control/refusals.h"

#include "api/conditions.h"
#include "api/well_known.h"
#include "control/queue_status.h"
#include "workload/convert_queue.h"
#include "workload/convert_workload.h"

namespace berth::control {
namespace {

// Not a reason of the scheduler: it may be out of date.
bool MayBeReplaced(std::string_view why) {
  return why == api::reason::kDeactivated || why == api::reason::kPendingEvaluation ||
         why == api::reason::kSuspended;
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
  if (change.kind != WorkloadChange::Kind::kWait || !change.is_parked) return;
  if (const auto key = KeyOf(change.id, feed)) refusals_[*key] = change;
}

std::optional<WorkloadChange> Refusals::For(const api::Workload& workload,
                                            const workload::EngineFeed& feed) const {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved);
  if (quota == nullptr || quota->status == api::kConditionTrue || !MayBeReplaced(quota->reason) ||
      !workload::MayWait(workload, feed.rules()))
    return std::nullopt;
  const engine::WorkloadId id = feed.engine().FindWorkload(workload.metadata.uid);
  if (id.is_none() || feed.engine().IsReserved(id) || !IsServed(workload, id, feed))
    return std::nullopt;
  const auto key = KeyOf(id, feed);
  const auto found = key ? refusals_.find(*key) : refusals_.end();
  if (found == refusals_.end() || found->second.id == id) return std::nullopt;
  WorkloadChange change = found->second;
  change.id = id;
  change.workload = workload::NamespacedName(workload.metadata);
  change.victims.clear();
  return change;
}

}  // namespace berth::control
