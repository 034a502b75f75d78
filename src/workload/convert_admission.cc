#include "workload/convert_admission.h"

#include <algorithm>

#include "api/conditions.h"
#include "api/well_known.h"
#include "quantity/resource_amount.h"

namespace berth::workload {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;

void Set(api::Workload& workload, std::string_view type, std::string_view status,
         std::string_view why, std::string_view message, base::Time now) {
  SetCondition(workload.status.conditions,
               {.type = std::string(type),
                .status = std::string(status),
                .observed_generation = workload.metadata.generation,
                .last_transition_time = now,
                .reason = std::string(why),
                .message = std::string(message),
                .extra = {}},
               now);
}

void EndIfTrue(api::Workload& workload, std::string_view type, base::Time now) {
  if (api::IsConditionTrue(workload.status.conditions, type))
    Set(workload, type, api::kConditionFalse, reason::kQuotaReserved, "It holds quota again", now);
}

}  // namespace

api::Admission ToAdmission(const engine::Engine& engine, engine::WorkloadId id,
                           const api::Workload& workload) {
  const quantity::AmountFormatter formatter;
  api::Admission admission{.cluster_queue = engine.ClusterQueueName(engine.ClusterQueueOf(id)),
                           .pod_set_assignments = {},
                           .extra = {}};
  const std::span<const engine::PodSetAssignment> given = engine.AssignmentOf(id);
  for (size_t i = 0; i < given.size() && i < workload.spec.pod_sets.size(); ++i) {
    api::PodSetAssignment& assignment = admission.pod_set_assignments.emplace_back();
    assignment.name = workload.spec.pod_sets[i].name;
    assignment.count = given[i].count;
    for (const engine::ResourceAssignment& r : given[i].resources) {
      const std::string& resource = engine.ResourceName(r.resource);
      assignment.flavors.Set(resource, engine.FlavorName(r.flavor));
      assignment.resource_usage.Set(resource, formatter.ToQuantity(resource, r.amount));
    }
  }
  return admission;
}

std::string_view ReasonOf(engine::WaitReason why) {
  switch (why) {
    case engine::WaitReason::kNone:
      return {};
    case engine::WaitReason::kWaitingForQuota:
      return reason::kWaitingForQuota;
    case engine::WaitReason::kExceedsMaxQuota:
      return reason::kExceedsMaxQuota;
    case engine::WaitReason::kNoMatchingFlavor:
      return reason::kNoMatchingFlavor;
    case engine::WaitReason::kWaitingForPreemptedWorkloads:
      return reason::kWaitingForPreemptedWorkloads;
    case engine::WaitReason::kPendingEvaluation:
      return reason::kPendingEvaluation;
    case engine::WaitReason::kMisconfigured:
      return reason::kMisconfigured;
    case engine::WaitReason::kSuspended:
      return reason::kSuspended;
    case engine::WaitReason::kAdmissionGated:
      return reason::kAdmissionGated;
  }
  return {};
}

std::string_view ReasonOf(engine::PreemptionReason why) {
  switch (why) {
    case engine::PreemptionReason::kInClusterQueue:
      return reason::kInClusterQueue;
    case engine::PreemptionReason::kInCohortReclamation:
      return reason::kInCohortReclamation;
    case engine::PreemptionReason::kInCohortReclaimWhileBorrowing:
      return reason::kInCohortReclaimWhileBorrowing;
    case engine::PreemptionReason::kInCohortFairSharing:
      return reason::kInCohortFairSharing;
  }
  return {};
}

void SetCondition(std::vector<api::Condition>& conditions, api::Condition condition,
                  base::Time now) {
  condition.last_transition_time = now;
  const auto known = std::ranges::find(conditions, condition.type, &api::Condition::type);
  if (known == conditions.end()) {
    conditions.push_back(std::move(condition));
    return;
  }
  if (known->status == condition.status)
    condition.last_transition_time = known->last_transition_time;
  *known = std::move(condition);
}

void MarkReserved(api::Workload& workload, api::Admission admission, base::Time now) {
  const std::string message = "Quota reserved in ClusterQueue " + admission.cluster_queue;
  workload.status.admission = std::move(admission);
  Set(workload, condition::kQuotaReserved, api::kConditionTrue, reason::kQuotaReserved, message,
      now);
  EndIfTrue(workload, condition::kEvicted, now);
  EndIfTrue(workload, condition::kPreempted, now);
}

void MarkPreempted(api::Workload& workload, std::string_view why, base::Time now) {
  Set(workload, condition::kEvicted, api::kConditionTrue, reason::kPreempted,
      "Another workload needs its quota", now);
  Set(workload, condition::kPreempted, api::kConditionTrue, why, "Another workload needs its quota",
      now);
}

void MarkRequeued(api::Workload& workload, base::Time now) {
  workload.status.admission.reset();
  const api::Condition* evicted =
      api::FindCondition(workload.status.conditions, condition::kEvicted);
  const std::string why(evicted == nullptr ? reason::kPreempted
                                           : std::string_view(evicted->reason));
  Set(workload, condition::kQuotaReserved, api::kConditionFalse, reason::kPending,
      "It gave its quota back", now);
  Set(workload, condition::kRequeued, api::kConditionTrue, why, "It waits for quota again", now);
}

void MarkFinished(api::Workload& workload, std::string_view why, base::Time now) {
  Set(workload, condition::kFinished, api::kConditionTrue, why, "It is finished", now);
}

}  // namespace berth::workload
