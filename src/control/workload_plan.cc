#include "control/workload_plan.h"

#include <algorithm>
#include <functional>

#include "api/conditions.h"
#include "api/stop_policy.h"
#include "api/well_known.h"
#include "workload/convert_queue.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;
using Write = WorkloadPlan::Write;

// One pass over a Workload. Each rule looks at the draft, may change it, and says whether the pass
// is over. The order of the rules is the order in which they matter.
class Pass {
 public:
  Pass(const api::Workload& workload, const WorkloadSurroundings& around,
       const WorkloadPolicy& policy, base::Time now)
      : around_(around), policy_(policy), now_(now), before_(workload) {
    plan_.workload = workload;
  }

  WorkloadPlan Run() {
    using Rule = bool (Pass::*)();
    static constexpr Rule kRules[] = {
        &Pass::FinishOrphan,        &Pass::RetainFinished, &Pass::FollowClass,
        &Pass::WaitForRetry,        &Pass::Deactivate,     &Pass::WaitForBackOff,
        &Pass::EndBackOff,          &Pass::EvictInactive,  &Pass::RestartLocalQueue,
        &Pass::RestartClusterQueue, &Pass::GateAdmission,  &Pass::KeepChecks,
        &Pass::SayWhyItWaits,       &Pass::FollowChecks,   &Pass::LeaveLocalQueue,
        &Pass::LeaveClusterQueue,   &Pass::TimeOutPods,    &Pass::LimitExecution,
    };
    for (const Rule rule : kRules)
      if ((this->*rule)()) break;
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
  void LookAgain(base::Time when) {
    if (!plan_.look_again || when < *plan_.look_again) plan_.look_again = when;
  }
  void Tell(bool is_warning, std::string_view why, std::string message) {
    plan_.notes.push_back({.about = Note::About::kWorkload,
                           .is_warning = is_warning,
                           .reason = std::string(why),
                           .message = std::move(message)});
  }

  bool Evict(workload::Eviction eviction) {
    const bool held_quota = w().status.admission.has_value();
    workload::MarkEvicted(w(), eviction, now_);
    if (held_quota)
      Tell(false, "EvictedDueTo" + workload::EvictedReason(eviction.reason, eviction.cause),
           std::move(eviction.message));
    return true;
  }

  // --- Who is done ------------------------------------------------------------------------------

  bool FinishOrphan() {
    if (!w().metadata.owner_references.empty()) return false;
    const bool is_deleted = w().metadata.deletion_timestamp.has_value();
    const bool lost_its_job =
        policy_.finishes_orphans && w().metadata.labels.Find(api::kJobUidLabel) != nullptr;
    if (!is_deleted && !lost_its_job) return false;
    if (!is_deleted && !workload::IsFinished(w())) {
      workload::MarkFinished(w(), reason::kOwnerNotFound, "The job that it was made for is gone",
                             now_);
      return Do(Write::kStatus);
    }
    if (std::ranges::find(w().metadata.finalizers, api::kResourceInUseFinalizer) ==
        w().metadata.finalizers.end())
      return is_deleted;
    std::erase(w().metadata.finalizers, api::kResourceInUseFinalizer);
    return Do(Write::kMetadata);
  }

  bool RetainFinished() {
    if (!workload::IsFinished(w())) return false;
    if (!policy_.retain_finished) return true;
    const base::Time finished = Find(condition::kFinished)->last_transition_time.value_or(now_);
    const base::Time end = finished + *policy_.retain_finished;
    if (now_ < end) {
      LookAgain(end);
      return true;
    }
    Tell(false, "Deleted", "Deleted because it finished and its time of retention is over");
    return Do(Write::kDelete);
  }

  bool FollowClass() {
    if (!around_.class_value || w().spec.priority == around_.class_value) return false;
    w().spec.priority = around_.class_value;
    return Do(Write::kSpec);
  }

  // --- Back-offs and deactivation --------------------------------------------------------------

  // A check that wants another try later: the time is kept, and the quota until then.
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
    LookAgain(*latest);
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
      LookAgain(*state->requeue_at);
      return true;
    }
    if (!workload::HasReservation(w())) {
      state->requeue_at.reset();
      if (!state->count) state.reset();
    }
    return false;
  }

  // What keeps an evicted workload from waiting again is over.
  bool EndBackOff() {
    const api::Condition* requeued = Find(condition::kRequeued);
    if (!workload::IsActive(w()) || requeued == nullptr || requeued->status != api::kConditionFalse)
      return false;
    if (requeued->reason == reason::kDeactivated)
      workload::SetRequeued(w(), true, reason::kReactivated, "It was activated again", now_);
    if (requeued->reason == reason::kPodsReadyTimeout ||
        requeued->reason == reason::kAdmissionCheck)
      workload::SetRequeued(w(), true, reason::kBackoffFinished, "Its back-off is over", now_);
    return false;
  }

  bool EvictInactive() {
    if (workload::IsActive(w())) return false;
    const api::Condition* target = Find(condition::kDeactivationTarget);
    const bool is_new = !workload::IsEvicted(w());
    if (!is_new && !w().status.requeue_state) return false;
    workload::Eviction eviction{
        .reason = reason::kDeactivated, .cause = "", .message = "The workload is deactivated"};
    std::string cause;
    if (target != nullptr) {
      cause = target->reason;
      eviction.cause = cause;
      eviction.message += " because of " + target->message;
    }
    workload::RemoveCondition(w().status.conditions, condition::kDeactivationTarget);
    w().status.requeue_state.reset();
    return is_new ? Evict(std::move(eviction)) : true;
  }

  // --- Queues ---------------------------------------------------------------------------------

  bool WasStoppedBy(std::string_view why) {
    const api::Condition* requeued = Find(condition::kRequeued);
    return requeued != nullptr && requeued->status == api::kConditionFalse &&
           requeued->reason == why;
  }

  bool RestartLocalQueue() {
    if (around_.local_queue == nullptr ||
        workload::IsStopped(around_.local_queue->spec.stop_policy) ||
        !WasStoppedBy(reason::kLocalQueueStopped))
      return false;
    return workload::SetRequeued(w(), true, reason::kLocalQueueRestarted, "The LocalQueue goes on",
                                 now_);
  }

  bool RestartClusterQueue() {
    if (around_.cluster_queue == nullptr ||
        workload::IsStopped(around_.cluster_queue->spec.stop_policy) ||
        !WasStoppedBy(reason::kClusterQueueStopped))
      return false;
    return workload::SetRequeued(w(), true, reason::kClusterQueueRestarted,
                                 "The ClusterQueue goes on", now_);
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
      const std::string message = "Admission is held back by " + std::string(Gates());
      workload::MarkUnreserved(w(), reason::kAdmissionGated, message, now_);
      Tell(false, "AdmissionGated", message);
      return true;
    }
    workload::MarkUnreserved(w(), reason::kPendingEvaluation,
                             "Nothing holds admission back any more", now_);
    Tell(false, "AdmissionGateCleared", "Nothing holds admission back any more");
    return true;
  }

  bool KeepChecks() {
    if (around_.cluster_queue != nullptr)
      workload::SyncChecks(w(), workload::ChecksFor(w(), *around_.cluster_queue), now_);
    return false;
  }

  // --- Why it waits ------------------------------------------------------------------------------

  struct Why {
    std::string_view reason;
    std::string message;
  };

  Why WhyQueuesBlock() {
    const std::string queue = w().spec.queue_name.value_or("");
    if (around_.local_queue == nullptr)
      return {reason::kMisconfigured,
              queue.empty() ? "It names no LocalQueue" : "LocalQueue " + queue + " does not exist"};
    if (workload::IsStopped(around_.local_queue->spec.stop_policy))
      return {reason::kSuspended, "LocalQueue " + queue + " is stopped"};
    const std::string cluster_queue = around_.local_queue->spec.cluster_queue.value_or("");
    if (around_.cluster_queue == nullptr)
      return {reason::kMisconfigured, "ClusterQueue " + cluster_queue + " does not exist"};
    if (!around_.is_queue_active)
      return {reason::kSuspended, "ClusterQueue " + cluster_queue + " is inactive"};
    return {};
  }

  // Whether the scheduler said so, and it holds until the scheduler says otherwise.
  static bool IsFromScheduler(std::string_view why) {
    static constexpr std::string_view kFromScheduler[] = {
        reason::kWaitingForQuota,      reason::kNoMatchingFlavor,
        reason::kExceedsMaxQuota,      reason::kTopologyPlacementFailed,
        reason::kWaitingForPodsReady,  reason::kWaitingForPreemptedWorkloads,
        reason::kAdmissionConstrained, reason::kPendingEvaluation,
    };
    return std::ranges::find(kFromScheduler, why) != std::end(kFromScheduler);
  }

  Why WhyItWaits() {
    const api::Condition* quota = Find(condition::kQuotaReserved);
    if (!workload::IsActive(w())) return {reason::kDeactivated, "The workload is deactivated"};
    if (quota != nullptr && quota->reason == reason::kOnHold) return {};
    if (Why why = WhyQueuesBlock(); !why.reason.empty()) return why;
    if (!around_.misfit.empty()) return {reason::kMisconfigured, around_.misfit};
    if (quota == nullptr && !policy_.states_pending_at_once) return {};
    if (quota != nullptr &&
        (IsFromScheduler(quota->reason) || quota->reason == reason::kAdmissionGated))
      return {};
    return {reason::kPendingEvaluation, "It waits to be looked at"};
  }

  bool SayWhyItWaits() {
    if (workload::IsAdmitted(w())) return false;
    if (!workload::HasReservation(w())) {
      if (Why why = WhyItWaits(); !why.reason.empty())
        workload::SetCondition(w(), condition::kQuotaReserved, false, why.reason,
                               std::move(why.message), now_);
    }
    workload::SyncAdmitted(w(), now_);
    if (workload::IsAdmitted(w()))
      Tell(false, reason::kAdmitted,
           "Admitted by ClusterQueue " + w().status.admission->cluster_queue +
               ", all admission checks are ready");
    return false;
  }

  // --- What may not run on -----------------------------------------------------------------------

  std::string ChecksIn(std::string_view state) {
    std::string text;
    for (const api::AdmissionCheckState& check : w().status.admission_checks) {
      if (check.state != state) continue;
      text += (text.empty() ? "" : "; ") + check.name;
      if (!check.message.empty()) text += " (" + check.message + ")";
    }
    return "admission checks in state " + std::string(state) + ": " + text;
  }

  bool FollowChecks() {
    if (!workload::HasReservation(w())) return true;  // the rules from here on are about quota held
    if (workload::IsEvicted(w())) return false;
    if (workload::HasCheckIn(w(), api::kCheckRejected)) {
      const std::string message = ChecksIn(api::kCheckRejected);
      if (workload::MarkForDeactivation(w(), reason::kAdmissionCheck, message, now_))
        Tell(true, "AdmissionCheckRejected", "Deactivated because of " + message);
      return true;
    }
    if (!workload::HasCheckIn(w(), api::kCheckRetry)) return false;
    return Evict({.reason = reason::kAdmissionCheck,
                  .cause = "",
                  .message = "Evicted because of " + ChecksIn(api::kCheckRetry)});
  }

  // A queue that drains evicts what runs; one that is stopped or gone takes reservations back that
  // did not lead to admission yet.
  bool Leave(bool is_there, const std::optional<std::string>& stop_policy, std::string_view kind,
             std::string_view name, std::string_view evicted_reason) {
    if (workload::IsAdmitted(w())) {
      if (stop_policy != api::kStopPolicyHoldAndDrain || workload::IsEvicted(w())) return false;
      return Evict({.reason = evicted_reason,
                    .cause = "",
                    .message = "The " + std::string(kind) + " is stopped"});
    }
    const std::string queue = std::string(kind) + " " + std::string(name);
    if (!is_there)
      return workload::MarkUnreserved(w(), reason::kMisconfigured,
                                      queue + " is being deleted or missing", now_),
             true;
    if (!workload::IsStopped(stop_policy)) return false;
    return workload::MarkUnreserved(w(), reason::kSuspended, queue + " is stopped", now_), true;
  }

  bool LeaveLocalQueue() {
    const api::LocalQueue* queue = around_.local_queue;
    const bool is_there = queue != nullptr && !queue->metadata.deletion_timestamp;
    return Leave(is_there, queue == nullptr ? std::nullopt : queue->spec.stop_policy, "LocalQueue",
                 w().spec.queue_name.value_or(""), reason::kLocalQueueStopped);
  }

  bool LeaveClusterQueue() {
    const api::ClusterQueue* queue = around_.cluster_queue;
    const bool is_there = queue != nullptr && !queue->metadata.deletion_timestamp;
    const std::string name = queue != nullptr       ? queue->metadata.name
                             : w().status.admission ? w().status.admission->cluster_queue
                                                    : "";
    return Leave(is_there, queue == nullptr ? std::nullopt : queue->spec.stop_policy,
                 "ClusterQueue", name, reason::kClusterQueueStopped);
  }

  // Until when pods may be not ready, and what it is then evicted for.
  struct Deadline {
    std::string_view cause;
    base::Time at;
  };
  std::optional<Deadline> PodsDeadline() {
    if (!policy_.pods_ready || !workload::IsAdmitted(w())) return std::nullopt;
    const api::Condition* ready = Find(condition::kPodsReady);
    if (ready != nullptr && ready->status == api::kConditionTrue) return std::nullopt;
    if (ready == nullptr || ready->reason != reason::kWaitForRecovery)
      return Deadline{reason::kWaitForStart,
                      Find(condition::kAdmitted)->last_transition_time.value_or(now_) +
                          policy_.pods_ready->timeout};
    if (!policy_.pods_ready->recovery_timeout) return std::nullopt;
    return Deadline{reason::kWaitForRecovery, ready->last_transition_time.value_or(now_) +
                                                  *policy_.pods_ready->recovery_timeout};
  }

  // In [0, 1), the same for the same workload and attempt.
  double Jitter(int32_t attempt) {
    uint64_t hash = 14695981039346656037u;
    for (const char c : w().metadata.uid) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
    hash = (hash ^ static_cast<uint32_t>(attempt)) * 1099511628211u;
    return static_cast<double>(hash >> 11) / 9007199254740992.0;
  }

  bool TimeOutPods() {
    if (!workload::IsActive(w()) || workload::IsEvicted(w())) return false;
    const std::optional<Deadline> deadline = PodsDeadline();
    if (!deadline) return false;
    if (now_ < deadline->at) {
      LookAgain(deadline->at);
      return false;
    }
    auto& state = w().status.requeue_state;
    const int32_t count = state ? state->count.value_or(0) : 0;
    if (policy_.pods_ready->requeue_limit && count + 1 > *policy_.pods_ready->requeue_limit)
      return workload::MarkForDeactivation(w(), reason::kRequeuingLimitExceeded,
                                           "having been requeued as often as is allowed", now_),
             true;
    const workload::Requeue next =
        workload::NextRequeue(policy_.pods_ready->backoff, count,
                              state ? state->requeue_at : std::nullopt, now_, Jitter(count + 1));
    if (!state) state.emplace();
    state->count = next.count;
    state->requeue_at = next.at;
    return Evict({.reason = reason::kPodsReadyTimeout,
                  .cause = deadline->cause,
                  .message = "Its pods were not ready in time"});
  }

  bool LimitExecution() {
    if (!workload::IsAdmitted(w()) || !w().spec.maximum_execution_time_seconds) return false;
    const int32_t limit = *w().spec.maximum_execution_time_seconds;
    const int32_t past = w().status.accumulated_past_execution_time_seconds.value_or(0);
    const base::Time end = Find(condition::kAdmitted)->last_transition_time.value_or(now_) +
                           base::Duration::Seconds(limit - past);
    if (now_ < end) {
      LookAgain(end);
      return false;
    }
    if (api::IsConditionTrue(conditions(), condition::kDeactivationTarget)) return false;
    workload::MarkForDeactivation(w(), reason::kMaximumExecutionTimeExceeded,
                                  "having run for as long as it may", now_);
    w().status.accumulated_past_execution_time_seconds.reset();
    Tell(true, reason::kMaximumExecutionTimeExceeded,
         "It ran for the " + std::to_string(limit) + " s that it may");
    return true;
  }

  const WorkloadSurroundings& around_;
  const WorkloadPolicy& policy_;
  const base::Time now_;
  const api::Workload& before_;
  WorkloadPlan plan_;
};

}  // namespace

WorkloadPolicy WorkloadPolicy::From(const api::Configuration& configuration,
                                    const api::FeatureGates& gates) {
  WorkloadPolicy policy{
      .finishes_orphans = gates.IsOn(api::Gate::kFinishOrphanedWorkloads),
      .has_admission_gates = gates.IsOn(api::Gate::kAdmissionGatedBy),
      .states_pending_at_once = gates.IsOn(api::Gate::kUnadmittedWorkloadsExplicitStatus),
  };
  if (const auto& pods = configuration.wait_for_pods_ready;
      pods && !gates.IsOn(api::Gate::kDisableWaitForPodsReady)) {
    policy.pods_ready = {.timeout = pods->timeout,
                         .recovery_timeout = pods->recovery_timeout,
                         .blocks_admission = pods->block_admission.value_or(false)};
    if (policy.pods_ready->recovery_timeout == base::Duration{})
      policy.pods_ready->recovery_timeout.reset();
    if (const auto& requeuing = pods->requeuing_strategy) {
      policy.pods_ready->requeue_limit = requeuing->backoff_limit_count;
      policy.pods_ready->backoff = {.base_seconds = requeuing->backoff_base_seconds.value_or(60),
                                    .max_seconds = requeuing->backoff_max_seconds.value_or(3600)};
    }
  }
  if (const auto& retention = configuration.object_retention_policies;
      retention && retention->workloads) {
    policy.retain_finished = retention->workloads->after_finished;
    policy.retain_deactivated = retention->workloads->after_deactivated_by_kueue;
  }
  return policy;
}

WorkloadPlan PlanWorkload(const api::Workload& workload, const WorkloadSurroundings& around,
                          const WorkloadPolicy& policy, base::Time now) {
  return Pass(workload, around, policy, now).Run();
}

}  // namespace berth::control
