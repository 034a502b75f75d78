#pragma once

// Transitions of a Workload's status. Each function is one step of the lifecycle, and the only
// place that knows which conditions the step changes.
//
// Functions that return bool return whether anything changed. The transition time of a condition
// changes only with its status.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/admission.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/workload.h"
#include "base/time.h"

namespace berth::workload {

// --- Queries ---------------------------------------------------------------------------------

bool IsFinished(const api::Workload& workload);
// spec.active; true if absent.
bool IsActive(const api::Workload& workload);
bool HasReservation(const api::Workload& workload);
bool IsAdmitted(const api::Workload& workload);
bool IsEvicted(const api::Workload& workload);
bool AreChecksReady(const api::Workload& workload);
bool HasCheckIn(const api::Workload& workload, std::string_view state);

// --- Conditions in general ---------------------------------------------------------------------

// Inserts or updates a condition.
bool SetCondition(std::vector<api::Condition>& conditions, api::Condition condition,
                  base::Time now);
// The same, with the current generation of the workload.
bool SetCondition(api::Workload& workload, std::string_view type, bool is_true,
                  std::string_view reason, std::string message, base::Time now);
bool RemoveCondition(std::vector<api::Condition>& conditions, std::string_view type);

// --- Quota --------------------------------------------------------------------------------------

// Quota is reserved. Conditions of an earlier eviction are reset.
bool MarkReserved(api::Workload& workload, api::Admission admission, base::Time now);
// Quota is not reserved, for this reason. Removes the admission.
bool MarkUnreserved(api::Workload& workload, std::string_view reason, std::string message,
                    base::Time now);
// The pods have places now: the admission is `placed`, with places that were delayed or replace a
// failed node. Forgets the failed nodes that are replaced. No effect without quota.
bool MarkPlaced(api::Workload& workload, const api::Admission& placed,
                std::string_view replaced_node, base::Time now);
// Updates Admitted from the reservation and the checks. Accumulates the time spent admitted when it
// ends. No effect on a workload with neither QuotaReserved nor Admitted.
bool SyncAdmitted(api::Workload& workload, base::Time now);
// status.accumulatedPastExecutionTimeSeconds after an admission that lasted until `now`: whole
// seconds of each admission.
int32_t ExecutionSeconds(int32_t past_seconds, base::Time admitted_at, base::Time now);

// --- Eviction -----------------------------------------------------------------------------------

struct Eviction {
  std::string_view reason;
  std::string_view cause;  // underlying cause; "" if there is none
  std::string message;
};

// The reason of `Evicted`: "Deactivated" with the cause "RequeuingLimitExceeded" is
// "DeactivatedDueToRequeuingLimitExceeded". Other reasons have no cause appended.
std::string EvictedReason(std::string_view reason, std::string_view cause);

// Evicts the workload. It keeps its quota until it has stopped. Resets its checks and counts the
// eviction.
void MarkEvicted(api::Workload& workload, const Eviction& eviction, base::Time now);
// Evicts the workload in favor of a preemptor, which the message names.
void MarkPreempted(api::Workload& workload, std::string_view reason, std::string message,
                   base::Time now);
// The start of its current wait: creation, or the last requeue.
base::Time QueuedSince(const api::Workload& workload);
// The time at which its quota was reserved; `now` if unknown.
base::Time ReservedSince(const api::Workload& workload, base::Time now);
// The workload has stopped after an eviction: releases its quota. A preempted workload is requeued
// at once; others when the cause of their eviction is gone.
void MarkStopped(api::Workload& workload, base::Time now);
// Sets Requeued: whether the workload may be queued again after its last eviction.
bool SetRequeued(api::Workload& workload, bool may_wait, std::string_view reason,
                 std::string message, base::Time now);
// Requests the deactivation of the workload for this cause.
bool MarkForDeactivation(api::Workload& workload, std::string_view cause, std::string message,
                         base::Time now);

// --- Completion and checks ----------------------------------------------------------------------

bool MarkFinished(api::Workload& workload, std::string_view reason, std::string message,
                  base::Time now);

// The checks that apply to a workload in this queue: those of its assigned flavors or, before quota
// is reserved, those that apply to all flavors of the queue.
std::set<std::string, std::less<>> ChecksFor(const api::Workload& workload,
                                             const api::ClusterQueue& queue);
// Updates the check states to these names: adds missing ones as Pending, removes others, sorts by
// name.
bool SyncChecks(api::Workload& workload, const std::set<std::string, std::less<>>& names,
                base::Time now);

}  // namespace berth::workload
