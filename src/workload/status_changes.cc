#include "workload/status_changes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/convert/convert_topology.h"

namespace berth::workload {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;
using Names = std::set<std::string, std::less<>>;

// The API's limit for the message of a condition.
constexpr size_t kMaxMessage = 32 * 1024;

std::string Shortened(std::string message) {
  constexpr std::string_view kMore = " ...";
  if (message.size() <= kMaxMessage) return message;
  size_t end = kMaxMessage - kMore.size();
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  message.resize(end);
  return message += kMore;
}

bool HasTrueCondition(const api::Workload& workload, std::string_view type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

// A reservation ends an eviction.
bool EndWithQuota(api::Workload& workload, std::string_view type, base::Time now) {
  const api::Condition* before = api::FindCondition(workload.status.conditions, type);
  if (before == nullptr || before->status != api::kConditionTrue) return false;
  return SetCondition(workload, type, false, reason::kQuotaReserved,
                      "Previously: " + before->message, now);
}

void CountEviction(api::Workload& workload, const Eviction& eviction) {
  if (!workload.status.scheduling_stats) workload.status.scheduling_stats.emplace();
  auto& evictions = workload.status.scheduling_stats->evictions;
  const auto counted = std::ranges::find_if(evictions, [&](const auto& e) {
    return e.reason == eviction.reason && e.underlying_cause == eviction.cause;
  });
  if (counted != evictions.end()) {
    ++counted->count;
    return;
  }
  evictions.push_back({.reason = std::string(eviction.reason),
                       .underlying_cause = std::string(eviction.cause),
                       .count = 1,
                       .extra = {}});
}

// Increments the retry count of checks in state Retry. Pod set updates of checks are kept.
void ResetChecks(api::Workload& workload, base::Time now) {
  for (api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state == api::kCheckPending) continue;
    if (check.state == api::kCheckRetry) check.retry_count = check.retry_count.value_or(0) + 1;
    check.message = "Reset to Pending after eviction; previous state " + check.state;
    check.state = api::kCheckPending;
    check.last_transition_time = now;
  }
}

void ClosePreemptionGates(api::Workload& workload, base::Time now) {
  for (api::PreemptionGateState& gate : workload.status.preemption_gates) {
    gate.position = api::kGateClosed;
    gate.last_transition_time = now;
  }
}

Names FlavorsOf(const api::Admission& admission) {
  Names names;
  for (const api::PodSetAssignment& assignment : admission.pod_set_assignments)
    for (const auto& [resource, flavor] : assignment.flavors) names.insert(flavor);
  return names;
}

Names FlavorsOf(const api::ClusterQueue& queue) {
  Names names;
  for (const api::ResourceGroup& group : queue.spec.resource_groups)
    for (const auto& flavor : group.flavors) names.insert(flavor.name);
  return names;
}

// A rule without flavors applies to all of them.
bool AppliesTo(const api::AdmissionCheckStrategyRule& rule, const Names& flavors) {
  return rule.on_flavors.empty() ||
         std::ranges::any_of(rule.on_flavors, [&](const auto& f) { return flavors.contains(f); });
}

bool AppliesToAll(const api::AdmissionCheckStrategyRule& rule, const Names& flavors) {
  return rule.on_flavors.empty() || std::ranges::all_of(flavors, [&](const auto& f) {
           return std::ranges::find(rule.on_flavors, f) != rule.on_flavors.end();
         });
}

struct AdmittedState {
  bool is_true = false;
  std::string_view reason;
  std::string_view message;
};

bool WaitsForTopology(const api::Workload& workload) {
  return workload.status.admission &&
         std::ranges::any_of(workload.status.admission->pod_set_assignments, [](const auto& a) {
           return a.delayed_topology_request == api::kDelayedTopologyPending;
         });
}

bool IsPlacedOn(const api::Admission& admission, std::string_view node) {
  return std::ranges::any_of(admission.pod_set_assignments, [&](const auto& assignment) {
    return assignment.topology_assignment && UsesNode(*assignment.topology_assignment, node);
  });
}

AdmittedState AdmittedFor(const api::Workload& workload) {
  if (!HasReservation(workload)) return {false, reason::kNoReservation, "Quota not reserved"};
  if (!AreChecksReady(workload))
    return {false, reason::kUnsatisfiedAdmissionChecks, "AdmissionChecks not ready"};
  if (WaitsForTopology(workload))
    return {false, reason::kPendingDelayedTopologyRequests, "Topology assignments pending"};
  return {true, reason::kAdmitted, "Workload admitted"};
}

void AddTimeAdmitted(api::Workload& workload, base::Time now) {
  const api::Condition* admitted =
      api::FindCondition(workload.status.conditions, condition::kAdmitted);
  const base::Time since = admitted->last_transition_time.value_or(now);
  auto& total = workload.status.accumulated_past_execution_time_seconds;
  total = ExecutionSeconds(total.value_or(0), since, now);
}

}  // namespace

int32_t ExecutionSeconds(int32_t past_seconds, base::Time admitted_at, base::Time now) {
  const int64_t seconds = std::max<int64_t>((now - admitted_at).nanos / 1'000'000'000, 0);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(std::min(std::max(past_seconds, 0) + seconds, kMost));
}

bool IsFinished(const api::Workload& workload) {
  return HasTrueCondition(workload, condition::kFinished);
}
bool IsActive(const api::Workload& workload) { return workload.spec.active.value_or(true); }
bool HasReservation(const api::Workload& workload) {
  return HasTrueCondition(workload, condition::kQuotaReserved);
}
bool IsAdmitted(const api::Workload& workload) {
  return HasTrueCondition(workload, condition::kAdmitted);
}
bool IsEvicted(const api::Workload& workload) {
  return HasTrueCondition(workload, condition::kEvicted);
}

bool AreChecksReady(const api::Workload& workload) {
  return std::ranges::all_of(workload.status.admission_checks,
                             [](const auto& check) { return check.state == api::kCheckReady; });
}

bool HasCheckIn(const api::Workload& workload, std::string_view state) {
  return std::ranges::any_of(workload.status.admission_checks,
                             [&](const auto& check) { return check.state == state; });
}

bool SetCondition(std::vector<api::Condition>& conditions, api::Condition condition,
                  base::Time now) {
  condition.last_transition_time = now;
  condition.message = Shortened(std::move(condition.message));
  const auto known = std::ranges::find(conditions, condition.type, &api::Condition::type);
  if (known == conditions.end()) {
    conditions.push_back(std::move(condition));
    return true;
  }
  if (known->status == condition.status)
    condition.last_transition_time = known->last_transition_time;
  condition.extra = known->extra;
  if (*known == condition) return false;
  *known = std::move(condition);
  return true;
}

bool SetCondition(api::Workload& workload, std::string_view type, bool is_true,
                  std::string_view why, std::string message, base::Time now) {
  return SetCondition(workload.status.conditions,
                      {.type = std::string(type),
                       .status = std::string(is_true ? api::kConditionTrue : api::kConditionFalse),
                       .observed_generation = workload.metadata.generation,
                       .last_transition_time = now,
                       .reason = std::string(why),
                       .message = std::move(message),
                       .extra = {}},
                      now);
}

bool RemoveCondition(std::vector<api::Condition>& conditions, std::string_view type) {
  return std::erase_if(conditions, [&](const auto& c) { return c.type == type; }) > 0;
}

bool MarkReserved(api::Workload& workload, api::Admission admission, base::Time now) {
  bool changed = SetCondition(workload, condition::kQuotaReserved, true, reason::kQuotaReserved,
                              "Quota reserved in ClusterQueue " + admission.cluster_queue, now);
  workload.status.admission = std::move(admission);
  changed |= !workload.status.resource_requests.empty();
  workload.status.resource_requests.clear();
  for (const std::string_view type :
       {condition::kEvicted, condition::kPreempted, condition::kBlockedOnPreemptionGates})
    changed |= EndWithQuota(workload, type, now);
  return changed;
}

bool MarkUnreserved(api::Workload& workload, std::string_view why, std::string message,
                    base::Time now) {
  bool changed =
      SetCondition(workload, condition::kQuotaReserved, false, why, std::move(message), now);
  changed |= workload.status.admission.has_value();
  workload.status.admission.reset();
  changed |= SyncAdmitted(workload, now);
  return changed;
}

bool MarkPlaced(api::Workload& workload, const api::Admission& placed,
                std::string_view replaced_node, base::Time now) {
  if (!HasReservation(workload) || IsEvicted(workload) || !workload.status.admission) return false;
  const api::WorkloadStatus before = workload.status;
  workload.status.admission = placed;
  std::erase_if(workload.status.unhealthy_nodes, [&](const api::UnhealthyNode& node) {
    return node.name == replaced_node || !IsPlacedOn(*workload.status.admission, node.name);
  });
  SyncAdmitted(workload, now);
  return workload.status != before;
}

bool SyncAdmitted(api::Workload& workload, base::Time now) {
  const auto& conditions = workload.status.conditions;
  if (api::FindCondition(conditions, condition::kQuotaReserved) == nullptr &&
      api::FindCondition(conditions, condition::kAdmitted) == nullptr)
    return false;
  const AdmittedState state = AdmittedFor(workload);
  if (IsAdmitted(workload) && !state.is_true) AddTimeAdmitted(workload, now);
  return SetCondition(workload, condition::kAdmitted, state.is_true, state.reason,
                      std::string(state.message), now);
}

std::string EvictedReason(std::string_view why, std::string_view cause) {
  std::string text(why);
  if (why == reason::kDeactivated && !cause.empty()) text.append("DueTo").append(cause);
  return text;
}

void MarkEvicted(api::Workload& workload, const Eviction& eviction, base::Time now) {
  const std::string why = EvictedReason(eviction.reason, eviction.cause);
  SetCondition(workload, condition::kEvicted, true, why, eviction.message, now);
  workload.status.cluster_name.reset();
  workload.status.nominated_cluster_names.clear();
  workload.status.unhealthy_nodes.clear();
  ResetChecks(workload, now);
  if (HasTrueCondition(workload, condition::kBlockedOnPreemptionGates))
    SetCondition(workload, condition::kBlockedOnPreemptionGates, false, why, eviction.message, now);
  ClosePreemptionGates(workload, now);
  CountEviction(workload, eviction);
}

base::Time QueuedSince(const api::Workload& workload) {
  const api::Condition* requeued =
      api::FindCondition(workload.status.conditions, condition::kRequeued);
  return requeued != nullptr ? requeued->last_transition_time.value_or(base::Time())
                             : workload.metadata.creation_timestamp.value_or(base::Time());
}

base::Time ReservedSince(const api::Workload& workload, base::Time now) {
  const api::Condition* quota =
      api::FindCondition(workload.status.conditions, condition::kQuotaReserved);
  return quota == nullptr ? now : quota->last_transition_time.value_or(now);
}

void MarkPreempted(api::Workload& workload, std::string_view why, std::string message,
                   base::Time now) {
  MarkEvicted(workload, {.reason = reason::kPreempted, .cause = "", .message = message}, now);
  // Kueue omits the generation here, and readers may compare it.
  SetCondition(workload.status.conditions,
               {.type = std::string(condition::kPreempted),
                .status = std::string(api::kConditionTrue),
                .observed_generation = 0,
                .last_transition_time = now,
                .reason = std::string(why),
                .message = std::move(message),
                .extra = {}},
               now);
}

void MarkStopped(api::Workload& workload, base::Time now) {
  const api::Condition* evicted =
      api::FindCondition(workload.status.conditions, condition::kEvicted);
  const std::string why(evicted == nullptr ? reason::kPreempted
                                           : std::string_view(evicted->reason));
  const std::string message = evicted == nullptr ? "" : evicted->message;
  SetRequeued(workload, why == reason::kPreempted || why == reason::kNodeFailures, why, message,
              now);
  MarkUnreserved(workload, reason::kPendingEvaluation, message, now);
}

bool SetRequeued(api::Workload& workload, bool may_wait, std::string_view why, std::string message,
                 base::Time now) {
  return SetCondition(workload, condition::kRequeued, may_wait, why, std::move(message), now);
}

bool MarkForDeactivation(api::Workload& workload, std::string_view cause, std::string message,
                         base::Time now) {
  return SetCondition(workload, condition::kDeactivationTarget, true, cause, std::move(message),
                      now);
}

bool MarkFinished(api::Workload& workload, std::string_view why, std::string message,
                  base::Time now) {
  return SetCondition(workload, condition::kFinished, true, why, std::move(message), now);
}

Names ChecksFor(const api::Workload& workload, const api::ClusterQueue& queue) {
  Names names;
  if (!queue.spec.admission_checks_strategy) return names;
  const Names flavors =
      workload.status.admission ? FlavorsOf(*workload.status.admission) : FlavorsOf(queue);
  for (const auto& rule : queue.spec.admission_checks_strategy->admission_checks)
    if (workload.status.admission ? AppliesTo(rule, flavors) : AppliesToAll(rule, flavors))
      names.insert(rule.name);
  return names;
}

bool SyncChecks(api::Workload& workload, const Names& names, base::Time now) {
  auto& checks = workload.status.admission_checks;
  bool changed = std::erase_if(checks, [&](const auto& c) { return !names.contains(c.name); }) > 0;
  for (const std::string& name : names) {
    if (std::ranges::find(checks, name, &api::AdmissionCheckState::name) != checks.end()) continue;
    checks.push_back({.name = name,
                      .state = std::string(api::kCheckPending),
                      .last_transition_time = now,
                      .message = "",
                      .requeue_after_seconds = {},
                      .retry_count = {},
                      .pod_set_updates = {},
                      .extra = {}});
    changed = true;
  }
  if (changed) std::ranges::sort(checks, {}, &api::AdmissionCheckState::name);
  return changed;
}

}  // namespace berth::workload
