#include "control/report/behind_head.h"

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/equivalence_reasons.h"
#include "lifecycle/messages.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

bool IsBehindHead(engine::WorkloadId id, const engine::Engine& engine) {
  return !id.is_none() && !engine.IsReserved(id) && engine.IsActive(id) &&
         engine.HeadOf(engine.ClusterQueueOf(id)) != id;
}

}  // namespace

std::optional<WorkloadChange> BehindHead(const api::Workload& workload,
                                         const workload::ClusterState& cluster,
                                         bool is_admission_blocked) {
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(workload.metadata.uid);
  if (api::FindCondition(workload.status.conditions, api::condition::kQuotaReserved) != nullptr ||
      !workload::MayWait(workload, cluster.rules()) || !IsBehindHead(id, engine) ||
      !IsServed(workload, id, cluster))
    return std::nullopt;
  const engine::NodeId queue = engine.ClusterQueueOf(id);
  const bool is_strict =
      engine.state().queue(queue).spec.strategy == engine::QueueingStrategy::kStrictFIFO;
  WorkloadChange change;
  change.id = id;
  change.workload = workload::NamespacedName(workload.metadata);
  change.is_silent = true;
  change.reason =
      is_admission_blocked ? api::reason::kWaitingForPodsReady : api::reason::kPendingEvaluation;
  change.message = is_admission_blocked
                       ? lifecycle::messages::WaitingForPodsReady()
                       : lifecycle::messages::BehindHead(engine.ClusterQueueName(queue), is_strict);
  return change;
}

}  // namespace berth::control
