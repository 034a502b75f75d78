#include "lifecycle/workload_plan.h"

#include <algorithm>
#include <functional>

#include "api/kueue/stop_policy.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/finalizers.h"
#include "lifecycle/eviction_event.h"
#include "lifecycle/messages.h"
#include "lifecycle/rule_chain.h"
#include "lifecycle/transitions.h"
#include "workload/convert/convert_queue.h"
#include "workload/status_changes.h"

namespace berth::lifecycle {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;
using Write = WorkloadPlan::Write;

// Plans one Workload. Each rule may change the draft and returns whether planning ends with it.
class WorkloadPlanner {
 public:
  WorkloadPlanner(const api::Workload& workload, const WorkloadContext& context,
                  const LifecyclePolicy& policy, base::Time now)
      : context_(context), policy_(policy), now_(now), before_(workload) {
    plan_.workload = workload;
  }

  WorkloadPlan Run() {
    static constexpr Rule<WorkloadPlanner> kRules[] = {
        &WorkloadPlanner::FinishOrphan,         &WorkloadPlanner::RetainFinished,
        &WorkloadPlanner::SyncPriorityClass,    &WorkloadPlanner::WaitForRetry,
        &WorkloadPlanner::Deactivate,           &WorkloadPlanner::WaitForBackOff,
        &WorkloadPlanner::EndBackOff,           &WorkloadPlanner::EvictInactive,
        &WorkloadPlanner::RestartLocalQueue,    &WorkloadPlanner::RestartClusterQueue,
        &WorkloadPlanner::GateAdmission,        &WorkloadPlanner::SyncAdmissionChecks,
        &WorkloadPlanner::SetPendingReason,     &WorkloadPlanner::FollowChecks,
        &WorkloadPlanner::LeaveDrainedQueue,    &WorkloadPlanner::LeaveLocalQueue,
        &WorkloadPlanner::LeaveClusterQueue,    &WorkloadPlanner::EnforcePodsReadyTimeout,
        &WorkloadPlanner::EnforceExecutionTime,
    };
    RunRules<WorkloadPlanner>(*this, kRules);
    if (plan_.write == Write::kNothing && !(w().status == before_.status))
      plan_.write = Write::kStatus;
    return std::move(plan_);
  }

 private:
  api::Workload& w() { return plan_.workload; }
  const std::vector<api::Condition>& conditions() { return w().status.conditions; }
  const api::Condition* Find(std::string_view type) {
    return api::FindCondition(conditions(), type);
  }

  bool Do(Write write) {
    plan_.write = write;
    return true;
  }
  void RequeueAt(base::Time when) {
    if (!plan_.requeue_at || when < *plan_.requeue_at) plan_.requeue_at = when;
  }
  void RecordEvent(bool is_warning, std::string_view why, std::string message) {
    plan_.events.push_back({.about = EventRecord::About::kWorkload,
                            .is_warning = is_warning,
                            .reason = std::string(why),
                            .message = std::move(message)});
  }

  bool Evict(const workload::Eviction& eviction) {
    const bool held_quota = w().status.admission.has_value();
    workload::MarkEvicted(w(), eviction, now_);
    if (held_quota) plan_.events.push_back(EvictionEvent(eviction));
    return true;
  }

  // --- Finished ------------------------------------------------------------------------------

  bool FinishOrphan() {
    if (!w().metadata.owner_references.empty()) return false;
    const bool is_deleted = w().metadata.deletion_timestamp.has_value();
    const bool lost_its_job =
        policy_.finishes_orphans && w().metadata.labels.Find(api::kJobUidLabel) != nullptr;
    if (!is_deleted && !lost_its_job) return false;
    if (!is_deleted && !workload::IsFinished(w())) {
      workload::MarkFinished(w(), reason::kOwnerNotFound, messages::OwnerNotFound(), now_);
      return Do(Write::kStatus);
    }
    if (!api::HasFinalizer(w().metadata, api::kResourceInUseFinalizer)) return is_deleted;
    api::RemoveFinalizer(w().metadata, api::kResourceInUseFinalizer);
    return Do(Write::kMetadata);
  }

  bool RetainFinished() {
    if (!workload::IsFinished(w())) return false;
    if (!policy_.retain_finished) return true;
    const base::Time finished = Find(condition::kFinished)->last_transition_time.value_or(now_);
    const base::Time end = finished + *policy_.retain_finished;
    if (now_ < end) {
      RequeueAt(end);
      return true;
    }
    RecordEvent(false, "Deleted",
                messages::RetentionExpired("Workload", "afterFinished", *policy_.retain_finished));
    return Do(Write::kDelete);
  }

  bool SyncPriorityClass() {
    if (!context_.class_priority || w().spec.priority == context_.class_priority) return false;
    w().spec.priority = context_.class_priority;
    return Do(Write::kSpec);
  }

  // --- Back-offs and deactivation --------------------------------------------------------------

  // An admission check asks for a retry at a later time. The quota is kept until then.
  bool WaitForRetry() {
    std::optional<base::Time> latest;
    for (const api::AdmissionCheckState& check : w().status.admission_checks) {
      if (check.state != api::kCheckRetry || !check.requeue_after_seconds ||
          !check.last_transition_time)
        continue;
      const base::Time at =
          *check.last_transition_time + base::Duration::Seconds(*check.requeue_after_seconds);
      if (!latest || *latest < at) latest = at;
    }
    if (!latest || *latest <= now_) return false;
    auto& state = w().status.requeue_state;
    if (state && state->requeue_at && *state->requeue_at >= *latest) return false;
    if (!state) state.emplace();
    state->requeue_at = latest;
    RequeueAt(*latest);
    return true;
  }

  bool Deactivate() {
    if (!workload::IsActive(w()) ||
        !api::IsConditionTrue(conditions(), condition::kDeactivationTarget))
      return false;
    w().spec.active = false;
    return Do(Write::kSpec);
  }

  bool WaitForBackOff() {
    auto& state = w().status.requeue_state;
    if (!workload::IsActive(w()) || !state || !state->requeue_at) return false;
    if (now_ < *state->requeue_at) {
      RequeueAt(*state->requeue_at);
      return true;
    }
    state->requeue_at.reset();
    if (!state->count) state.reset();
    return false;
  }

  // Requeues an evicted Workload whose back-off or deactivation is over.
  bool EndBackOff() {
    const api::Condition* requeued = Find(condition::kRequeued);
    if (!workload::IsActive(w()) || requeued == nullptr || requeued->status != api::kConditionFalse)
      return false;
    if (requeued->reason == reason::kDeactivated)
      workload::SetRequeued(w(), true, reason::kReactivated, messages::Reactivated(), now_);
    if (requeued->reason == reason::kPodsReadyTimeout ||
        requeued->reason == reason::kAdmissionCheck)
      workload::SetRequeued(w(), true, reason::kBackoffFinished, messages::BackoffFinished(), now_);
    return false;
  }

  bool EvictInactive() {
    if (workload::IsActive(w())) return false;
    const api::Condition* target = Find(condition::kDeactivationTarget);
    const bool is_new = !workload::IsEvicted(w());
    if (!is_new && !w().status.requeue_state) return false;
    workload::Eviction eviction{
        .reason = reason::kDeactivated, .cause = "", .message = messages::Deactivated("")};
    std::string cause;
    if (target != nullptr) {
      cause = target->reason;
      eviction.cause = cause;
      eviction.message = messages::Deactivated(target->message);
    }
    workload::RemoveCondition(w().status.conditions, condition::kDeactivationTarget);
    w().status.requeue_state.reset();
    return is_new ? Evict(eviction) : true;
  }

  // --- Queues ---------------------------------------------------------------------------------

  bool WasStoppedBy(std::string_view why) {
    const api::Condition* requeued = Find(condition::kRequeued);
    return requeued != nullptr && requeued->status == api::kConditionFalse &&
           requeued->reason == why;
  }

  bool RestartLocalQueue() {
    if (context_.local_queue == nullptr ||
        workload::IsStopped(context_.local_queue->spec.stop_policy) ||
        !WasStoppedBy(reason::kLocalQueueStopped))
      return false;
    return workload::SetRequeued(
        w(), true, reason::kLocalQueueRestarted,
        messages::QueueResumed("LocalQueue", context_.local_queue->metadata.name), now_);
  }

  bool RestartClusterQueue() {
    if (context_.cluster_queue == nullptr ||
        workload::IsStopped(context_.cluster_queue->spec.stop_policy) ||
        !WasStoppedBy(reason::kClusterQueueStopped))
      return false;
    return workload::SetRequeued(
        w(), true, reason::kClusterQueueRestarted,
        messages::QueueResumed("ClusterQueue", context_.cluster_queue->metadata.name), now_);
  }

  std::string_view Gates() {
    const std::string* gates = w().metadata.annotations.Find(api::kAdmissionGatedByAnnotation);
    return gates == nullptr ? std::string_view() : *gates;
  }

  bool GateAdmission() {
    if (!policy_.has_admission_gates) return false;
    const api::Condition* quota = Find(condition::kQuotaReserved);
    const bool was_gated = quota != nullptr && quota->reason == reason::kAdmissionGated;
    const bool is_gated = !Gates().empty();
    if (was_gated == is_gated) return false;
    if (is_gated) {
      const std::string message = messages::AdmissionGated(Gates());
      workload::MarkUnreserved(w(), reason::kAdmissionGated, message, now_);
      RecordEvent(false, "AdmissionGated", message);
      return true;
    }
    workload::MarkUnreserved(w(), reason::kPendingEvaluation, messages::AdmissionGateCleared(),
                             now_);
    RecordEvent(false, "AdmissionGateCleared", messages::AdmissionGateCleared());
    return true;
  }

  bool SyncAdmissionChecks() {
    if (context_.cluster_queue != nullptr)
      workload::SyncChecks(w(), workload::ChecksFor(w(), *context_.cluster_queue), now_);
    return false;
  }

  // --- Pending reason ----------------------------------------------------------------------------

  struct Why {
    std::string_view reason;
    std::string message;
  };

  Why QueueBlockReason() {
    const std::string queue = w().spec.queue_name.value_or("");
    if (context_.local_queue == nullptr)
      return {reason::kMisconfigured, queue.empty() ? messages::QueueNameEmpty()
                                                    : messages::QueueNotFound("LocalQueue", queue)};
    if (workload::IsStopped(context_.local_queue->spec.stop_policy))
      return {reason::kSuspended, messages::QueueStopped("LocalQueue", queue)};
    const std::string cluster_queue = context_.local_queue->spec.cluster_queue.value_or("");
    if (context_.cluster_queue == nullptr)
      return {reason::kMisconfigured, messages::QueueNotFound("ClusterQueue", cluster_queue)};
    if (!context_.is_queue_active)
      return {reason::kSuspended, messages::QueueInactive(cluster_queue)};
    return {};
  }

  // Reasons that the scheduler sets, and only the scheduler replaces.
  static bool IsFromScheduler(std::string_view why) {
    static constexpr std::string_view kFromScheduler[] = {
        reason::kWaitingForQuota,      reason::kNoMatchingFlavor,
        reason::kExceedsMaxQuota,      reason::kTopologyPlacementFailed,
        reason::kWaitingForPodsReady,  reason::kWaitingForPreemptedWorkloads,
        reason::kAdmissionConstrained, reason::kPendingEvaluation,
    };
    return std::ranges::find(kFromScheduler, why) != std::end(kFromScheduler);
  }

  Why PendingReasonOf() {
    const api::Condition* quota = Find(condition::kQuotaReserved);
    if (!workload::IsActive(w())) return {reason::kDeactivated, messages::Deactivated("")};
    if (quota != nullptr && quota->reason == reason::kOnHold) return {};
    if (Why why = QueueBlockReason(); !why.reason.empty()) return why;
    if (!context_.misconfiguration.empty())
      return {reason::kMisconfigured, context_.misconfiguration};
    if (quota == nullptr && !policy_.states_pending_at_once) return {};
    if (quota != nullptr &&
        (IsFromScheduler(quota->reason) || quota->reason == reason::kAdmissionGated))
      return {};
    return {reason::kPendingEvaluation, messages::PendingEvaluation()};
  }

  bool SetPendingReason() {
    if (workload::IsAdmitted(w())) return false;
    if (!workload::HasReservation(w())) {
      if (Why why = PendingReasonOf(); !why.reason.empty())
        workload::SetCondition(w(), condition::kQuotaReserved, false, why.reason,
                               std::move(why.message), now_);
    }
    workload::SyncAdmitted(w(), now_);
    if (workload::IsAdmitted(w()))
      RecordEvent(false, reason::kAdmitted,
                  messages::AdmittedAfterChecks(w().status.admission->cluster_queue,
                                                now_ - workload::ReservedSince(w(), now_)));
    return false;
  }

  // --- Evictions -----------------------------------------------------------------------

  bool FollowChecks() {
    if (!workload::HasReservation(w())) return true;  // the rules from here on are about quota held
    if (workload::IsEvicted(w())) return false;
    if (workload::HasCheckIn(w(), api::kCheckRejected)) {
      const std::string message = messages::AdmissionChecksIn(api::kCheckRejected, w());
      if (workload::MarkForDeactivation(w(), reason::kAdmissionCheck, message, now_))
        RecordEvent(true, "AdmissionCheckRejected", messages::Deactivated(message));
      return true;
    }
    if (!workload::HasCheckIn(w(), api::kCheckRetry)) return false;
    return Evict({.reason = reason::kAdmissionCheck,
                  .cause = "",
                  .message = messages::AdmissionChecksIn(api::kCheckRetry, w())});
  }

  bool LeaveDrainedQueue() {
    if (!workload::IsAdmitted(w()) || workload::IsEvicted(w())) return false;
    const std::string_view why = DrainReason(context_.local_queue, context_.cluster_queue);
    if (why.empty()) return false;
    const bool is_local = why == reason::kLocalQueueStopped;
    return Evict(
        {.reason = why,
         .cause = "",
         .message =
             is_local
                 ? messages::QueueStopped("LocalQueue", context_.local_queue->metadata.name)
                 : messages::QueueStopped("ClusterQueue", context_.cluster_queue->metadata.name)});
  }

  // A queue that is stopped or gone takes reservations back that did not lead to admission yet.
  bool Leave(bool is_there, const std::optional<std::string>& stop_policy, std::string_view kind,
             std::string_view name) {
    if (workload::IsAdmitted(w())) return false;
    if (!is_there)
      return workload::MarkUnreserved(w(), reason::kMisconfigured, messages::QueueLeft(kind, name),
                                      now_),
             true;
    if (!workload::IsStopped(stop_policy)) return false;
    return workload::MarkUnreserved(w(), reason::kSuspended, messages::QueueStopped(kind, name),
                                    now_),
           true;
  }

  bool LeaveLocalQueue() {
    const api::LocalQueue* queue = context_.local_queue;
    const bool is_there = queue != nullptr && !queue->metadata.deletion_timestamp;
    return Leave(is_there, queue == nullptr ? std::nullopt : queue->spec.stop_policy, "LocalQueue",
                 w().spec.queue_name.value_or(""));
  }

  bool LeaveClusterQueue() {
    const api::ClusterQueue* queue = context_.cluster_queue;
    const bool is_there = queue != nullptr && !queue->metadata.deletion_timestamp;
    const std::string name = queue != nullptr       ? queue->metadata.name
                             : w().status.admission ? w().status.admission->cluster_queue
                                                    : "";
    return Leave(is_there, queue == nullptr ? std::nullopt : queue->spec.stop_policy,
                 "ClusterQueue", name);
  }

  std::optional<PodsReadyDeadline> PodsDeadline() {
    if (!workload::IsAdmitted(w())) return std::nullopt;
    const api::Condition* ready = Find(condition::kPodsReady);
    if (ready != nullptr && ready->status == api::kConditionTrue) return std::nullopt;
    std::optional<base::Time> recovering_since;
    if (ready != nullptr && ready->reason == reason::kWaitForRecovery)
      recovering_since = ready->last_transition_time.value_or(now_);
    return DeadlineOfPods(policy_, Find(condition::kAdmitted)->last_transition_time.value_or(now_),
                          recovering_since);
  }

  bool EnforcePodsReadyTimeout() {
    if (!workload::IsActive(w()) || workload::IsEvicted(w())) return false;
    const std::optional<PodsReadyDeadline> deadline = PodsDeadline();
    if (!deadline) return false;
    if (now_ < deadline->at) {
      RequeueAt(deadline->at);
      return false;
    }
    auto& state = w().status.requeue_state;
    const std::optional<workload::Requeue> next =
        RequeueAfterTimeout(*policy_.pods_ready, state ? state->count.value_or(0) : 0,
                            state ? state->requeue_at : std::nullopt, w().metadata.uid, now_);
    if (!next)
      return workload::MarkForDeactivation(
                 w(), reason::kRequeuingLimitExceeded,
                 messages::RequeuingLimitExceeded(*policy_.pods_ready->requeue_limit), now_),
             true;
    if (!state) state.emplace();
    state->count = next->count;
    state->requeue_at = next->at;
    return Evict({.reason = reason::kPodsReadyTimeout,
                  .cause = deadline->cause,
                  .message = PodsReadyTimeoutMessage(deadline->cause)});
  }

  std::string PodsReadyTimeoutMessage(std::string_view cause) const {
    const LifecyclePolicy::PodsReady& limits = *policy_.pods_ready;
    return cause == reason::kWaitForRecovery
               ? messages::PodsReadyTimeout("recoveryTimeout", *limits.recovery_timeout)
               : messages::PodsReadyTimeout("timeout", limits.timeout);
  }

  bool EnforceExecutionTime() {
    if (!workload::IsAdmitted(w()) || !w().spec.maximum_execution_time_seconds) return false;
    const int32_t limit = *w().spec.maximum_execution_time_seconds;
    const int32_t past = w().status.accumulated_past_execution_time_seconds.value_or(0);
    const base::Time end = EndOfExecution(
        limit, past, Find(condition::kAdmitted)->last_transition_time.value_or(now_));
    if (now_ < end) {
      RequeueAt(end);
      return false;
    }
    if (api::IsConditionTrue(conditions(), condition::kDeactivationTarget)) return false;
    workload::MarkForDeactivation(w(), reason::kMaximumExecutionTimeExceeded,
                                  messages::MaximumExecutionTimeExceeded(limit), now_);
    w().status.accumulated_past_execution_time_seconds.reset();
    RecordEvent(true, reason::kMaximumExecutionTimeExceeded,
                messages::MaximumExecutionTimeExceeded(limit));
    return true;
  }

  const WorkloadContext& context_;
  const LifecyclePolicy& policy_;
  const base::Time now_;
  const api::Workload& before_;
  WorkloadPlan plan_;
};

}  // namespace

WorkloadPlan PlanWorkload(const api::Workload& workload, const WorkloadContext& context,
                          const LifecyclePolicy& policy, base::Time now) {
  return WorkloadPlanner(workload, context, policy, now).Run();
}

}  // namespace berth::lifecycle
