#pragma once

// The life of a Workload as changes of its status: each function is one step that a controller or a
// simulation takes, and the only place that knows which conditions it touches.
//
// Those that return bool say whether anything changed. Conditions keep their time of transition
// while their status stays.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/admission.h"
#include "api/cluster_queue.h"
#include "api/workload.h"
#include "base/time.h"

namespace berth::workload {

// --- What its conditions say -----------------------------------------------------------------

bool IsFinished(const api::Workload& workload);
// spec.active, which is true unless it says false.
bool IsActive(const api::Workload& workload);
bool HasReservation(const api::Workload& workload);
bool IsAdmitted(const api::Workload& workload);
bool IsEvicted(const api::Workload& workload);
bool AreChecksReady(const api::Workload& workload);
bool HasCheckIn(const api::Workload& workload, std::string_view state);

// --- Conditions in general ---------------------------------------------------------------------

// Sets a condition; its time changes only with its status. Says whether anything changed.
bool SetCondition(std::vector<api::Condition>& conditions, api::Condition condition,
                  base::Time now);
// The same for a condition that is about the workload as it is now.
bool SetCondition(api::Workload& workload, std::string_view type, bool is_true,
                  std::string_view reason, std::string message, base::Time now);
bool RemoveCondition(std::vector<api::Condition>& conditions, std::string_view type);

// --- Quota --------------------------------------------------------------------------------------

// It holds quota. What was said of an earlier eviction is over.
bool MarkReserved(api::Workload& workload, api::Admission admission, base::Time now);
// It holds none, and why. What it was given is gone.
bool MarkUnreserved(api::Workload& workload, std::string_view reason, std::string message,
                    base::Time now);
// Admitted follows from the reservation and the checks. Time spent admitted adds up when it ends.
// A workload of which nothing is known yet stays so.
bool SyncAdmitted(api::Workload& workload, base::Time now);

// --- Eviction -----------------------------------------------------------------------------------

struct Eviction {
  std::string_view reason;
  std::string_view cause;  // more exactly; "" if there is none
  std::string message;
};

// `Evicted` with reason and cause: "Deactivated" and "RequeuingLimitExceeded" give
// "DeactivatedDueToRequeuingLimitExceeded". Other reasons stand alone.
std::string EvictedReason(std::string_view reason, std::string_view cause);

// It has to stop. It keeps its quota until it has. Checks start over, the eviction is counted.
void MarkEvicted(api::Workload& workload, const Eviction& eviction, base::Time now);
// Its quota is wanted by another: evicted, and by whom.
void MarkPreempted(api::Workload& workload, std::string_view reason, std::string message,
                   base::Time now);
// After an eviction it has stopped: it gives its quota back. A preempted one waits again at once;
// others wait for what evicted them to be over.
void MarkStopped(api::Workload& workload, base::Time now);
// Whether it may wait for quota again, as far as its last eviction is concerned.
bool SetRequeued(api::Workload& workload, bool may_wait, std::string_view reason,
                 std::string message, base::Time now);
// It will be deactivated for this cause.
bool MarkForDeactivation(api::Workload& workload, std::string_view cause, std::string message,
                         base::Time now);

// --- The rest -----------------------------------------------------------------------------------

bool MarkFinished(api::Workload& workload, std::string_view reason, std::string message,
                  base::Time now);

// The checks that a workload in this queue has to pass: those of the flavors it was given, or,
// before that, those on all flavors of the queue.
std::set<std::string, std::less<>> ChecksFor(const api::Workload& workload,
                                             const api::ClusterQueue& queue);
// The states follow the names: new ones are pending, those of other checks go; by name.
bool SyncChecks(api::Workload& workload, const std::set<std::string, std::less<>>& names,
                base::Time now);

}  // namespace berth::workload
