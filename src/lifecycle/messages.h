#pragma once

// Texts of conditions and Events: one function per message, named after its reason. Reasons are API
// and never change; texts name the object first, then the numbers, in a shape that scripts can
// match. Names of objects are given as "namespace/name".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "base/time.h"
#include "schema/problem.h"
#include "workload/requests/request_checks.h"

namespace berth::lifecycle::messages {

// --- Finished ------------------------------------------------------------------------------------

std::string OwnerNotFound();
// `owner` is "job" or "pod".
std::string OwnerDeleted(std::string_view owner);
// `owner` is "job", "pods" or "set".
std::string OutOfSync(std::string_view owner);
std::string SliceReplaced(std::string_view newer_slice);

// --- DeactivationTarget, Evicted, Requeued -------------------------------------------------------

std::string RequeuingLimitExceeded(int32_t limit);
std::string MaximumExecutionTimeExceeded(int32_t limit_seconds);
// The AdmissionChecks in this state, with their messages.
std::string AdmissionChecksIn(std::string_view state, const api::Workload& workload);
// `cause` is empty or the message of the DeactivationTarget condition.
std::string Deactivated(std::string_view cause);
// `field` of waitForPodsReady: "timeout" or "recoveryTimeout".
std::string PodsReadyTimeout(std::string_view field, base::Duration limit);
// Who preempts a Workload and why. Paths are those of the ClusterQueues in their cohort trees.
struct Preemption {
  std::string_view preemptor;
  std::string_view preemptor_uid;
  std::string_view job_uid;  // of the preemptor's job; empty if it has none
  std::string_view reason;
  std::string_view preemptor_path;
  std::string_view preemptee_path;
};
std::string Preempted(const Preemption& preemption);
// No node can replace the failed one.
std::string NodeNotReplaced(std::string_view node);
std::string SeveralNodeFailures(const std::vector<std::string>& nodes);
std::string Reactivated();
std::string BackoffFinished();
// `kind` is LocalQueue or ClusterQueue.
std::string QueueResumed(std::string_view kind, std::string_view name);

// --- QuotaReserved False -------------------------------------------------------------------------

std::string QueueNameEmpty();
std::string QueueNotFound(std::string_view kind, std::string_view name);
// Takes back quota that was reserved and not yet admitted.
std::string QueueLeft(std::string_view kind, std::string_view name);
std::string QueueStopped(std::string_view kind, std::string_view name);
std::string QueueInactive(std::string_view cluster_queue);
std::string NamespaceMismatch(std::string_view namespace_name, std::string_view cluster_queue);
// `amount` is requested for the pod set.
std::string ResourceNotDeclared(std::string_view resource, std::string_view cluster_queue,
                                std::string_view amount, std::string_view pod_set);
// Pods of a pod set that the topology cannot fit. `level` is the required one, or "".
struct NoRoom {
  std::string_view topology;
  std::string_view flavor;
  std::string_view pod_set;
  std::string_view level;
  int32_t pods = 0;
  int32_t fitting = 0;  // of `needed` slices, or pods; 0 of 0 is omitted
  int32_t needed = 0;
  int32_t slice_size = 1;
  size_t nodes = 0;  // ready and schedulable, with all labels
  // Of these, those that the pods do not match.
  size_t tainted = 0;
  size_t by_selector = 0;
  size_t by_affinity = 0;
  bool is_if_empty = false;  // does not fit without other workloads either
};
std::string TopologyHasNoRoom(const NoRoom& room);
std::string SlicesNotSupported(std::string_view topology, std::string_view flavor,
                               std::string_view pod_set);
// Without problems: only that there are some.
std::string ClaimsNotResolved(const schema::Problems& problems);
std::string ClaimsRejected(const schema::Problems& problems);
// `failure` is the answer of the API server.
std::string AdmissionRejected(std::string_view failure);
std::string WriteRejected(std::string_view failure);
std::string InvalidPods(const workload::InvalidRequests& problems);
std::string PendingEvaluation();
std::string BehindHead(std::string_view cluster_queue, bool is_strict_fifo);
std::string AdmissionGated(std::string_view gates);
std::string AdmissionGateCleared();
std::string WaitingForPodsReady();
// `why` is the state of the job that puts it on hold.
std::string JobOnHold(std::string_view why);
std::string ScaledToZero(std::string_view kind);
// `shortage` names the quota that the preemption is for; may be empty.
std::string WaitingForPreempted(const std::vector<std::string>& workloads,
                                std::string_view shortage);
std::string WaitingForPreemptedOfOthers();
std::string SkippedInCycle();
std::string PreemptionGated();

// --- Quota and admission -------------------------------------------------------------------------

std::string QuotaReserved(std::string_view cluster_queue);
std::string Admitted(std::string_view cluster_queue);
// Of Events: with the time in the queue, or since quota was reserved.
std::string QuotaReservedAfter(std::string_view cluster_queue, base::Duration waited);
std::string AdmittedAfter(std::string_view cluster_queue, base::Duration waited);
std::string AdmittedAfterChecks(std::string_view cluster_queue, base::Duration waited);

// --- PodsReady -----------------------------------------------------------------------------------

std::string PodsNotReady();
std::string PodsReady();
std::string PodsNoLongerReady();

// --- Active of queues ----------------------------------------------------------------------------

std::string ClusterQueueReady();
std::string ClusterQueueTerminating();
std::string ClusterQueueStopped();
std::string CohortCycle(std::string_view cohort);
std::string FlavorNotFound(const std::vector<std::string>& flavors);
// Each with the flavor that names it.
std::string TopologyNotFound(const std::vector<std::string>& topologies);
// `reason` is that of the condition.
std::string AdmissionChecksUnusable(std::string_view reason,
                                    const std::vector<std::string>& checks);
std::string LocalQueueReady(std::string_view cluster_queue);

// --- Events only ---------------------------------------------------------------------------------

std::string WorkloadCreated(std::string_view workload);
// The reason and text about a job that is managed without a queue name.
inline constexpr std::string_view kQueueNameMissing = "QueueNameMissing";
std::string QueueNameMissing();
// `why` completes "deleted: …" and "updated: …".
std::string WorkloadDeleted(std::string_view workload, std::string_view why);
std::string WorkloadUpdated(std::string_view workload, std::string_view why);
std::string WorkloadFinished(std::string_view workload);
// The priority of a Workload, and the part of it that is no boost.
struct Priority {
  int64_t effective = 0;
  int64_t base = 0;
};
std::string Priorities(const Priority& preemptor, const Priority& preemptee);
// `priorities` as above.
std::string WorkloadPreempted(std::string_view workload, std::string_view uid,
                              std::string_view cluster_queue, std::string_view priorities);
// `field` of objectRetentionPolicies.workloads.
std::string RetentionExpired(std::string_view kind, std::string_view field,
                             base::Duration retention);
// Of a job or pod that is suspended or stopped.
std::string WorkloadMissing();
std::string WorkloadNotFound(std::string_view workload);
std::string WorkloadGone();
std::string NotAdmitted();
std::string Released();
std::string WorkloadNameConflict(std::string_view workload);
std::string OwnerReferencesAdded(size_t count);
std::string ExcessPodDeleted();
// Of a pod that was to start on the node.
std::string NodeFailedBeforeStart(std::string_view node);
std::string NodeLeftAssignment(std::string_view node);
// Of a pod that was stuck in deletion; `grace` is its own grace period.
std::string ForcefullyDeleted(std::string_view node, base::Duration grace);
// What is not counted, as workload::ToString(SkippedResource) says it.
std::string ResourcesNotCounted(std::string_view resources);

// Completes WorkloadDeleted and WorkloadUpdated. `owner` is "job" or "pods".
std::string PodSetsDiffer(std::string_view owner);
std::string PodSetsFollow(std::string_view owner);
std::string PriorityClassIs(std::string_view name);

}  // namespace berth::lifecycle::messages
