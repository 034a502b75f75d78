// Every text of a condition or Event, with an example. Scripts match these shapes.

#include "lifecycle/messages.h"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

struct Row {
  std::string_view reason;
  std::string text;
  std::string_view expected;
};

void ExpectRows(const std::vector<Row>& rows) {
  for (const Row& row : rows) EXPECT_EQ(row.text, row.expected) << row.reason;
}

api::Workload WithChecks() {
  api::Workload workload;
  workload.status.admission_checks = {{.name = "budget", .state = "Retry", .message = "no funds"},
                                      {.name = "prov", .state = "Retry"},
                                      {.name = "other", .state = "Ready"}};
  return workload;
}

schema::Problems Problem(std::string field, std::string message) {
  return {{.field = std::move(field), .message = std::move(message)}};
}

// clang-format off
TEST(Messages, OfWorkloadConditions) {
  using namespace messages;
  ExpectRows({
      {"OwnerNotFound", OwnerNotFound(), "Owner job not found"},
      {"OwnerNotFound", OwnerDeleted("pod"), "Owner pod is being deleted"},
      {"OutOfSync", OutOfSync("job"), "Pod sets differ from those of the job"},
      {"WorkloadSliceReplaced", SliceReplaced("a/b"), "Replaced by Workload slice a/b"},
      {"RequeuingLimitExceeded", RequeuingLimitExceeded(3), "backoffLimitCount of 3 exceeded"},
      {"MaximumExecutionTimeExceeded", MaximumExecutionTimeExceeded(30), "maximumExecutionTime of 30s exceeded"},
      {"AdmissionCheck", AdmissionChecksIn("Retry", WithChecks()), "AdmissionChecks in state Retry: budget (no funds); prov"},
      {"Deactivated", Deactivated(""), "Workload deactivated: spec.active is false"},
      {"DeactivatedDueTo…", Deactivated(RequeuingLimitExceeded(3)), "Workload deactivated: backoffLimitCount of 3 exceeded"},
      {"PodsReadyTimeout", PodsReadyTimeout("timeout", base::Duration::Seconds(300)), "Pods not ready within timeout of 5m0s"},
      {"Preempted", Preempted({"a/b", "u", "j", "InCohortReclamation", "/r/c/q", "/r/p"}), "Preempted by Workload a/b (InCohortReclamation): Workload UID u, job UID j; preemptor path /r/c/q; preemptee path /r/p"},
      {"Preempted", Preempted({"a/b", "u", "", "InClusterQueue", "/q", "/q"}), "Preempted by Workload a/b (InClusterQueue): Workload UID u, job UID none; preemptor path /q; preemptee path /q"},
      {"NodeFailures", SeveralNodeFailures({"n1", "n2"}), "Nodes failed (2): n1, n2; at most 1 is replaced at a time"},
      {"NodeFailures", NodeNotReplaced("n1"), "Node n1 failed: no replacement node available"},
      {"Reactivated", Reactivated(), "Workload reactivated"},
      {"BackoffFinished", BackoffFinished(), "Requeuing back-off finished"},
      {"LocalQueueRestarted", QueueResumed("LocalQueue", "main"), "LocalQueue main resumed"},
      {"Misconfigured", QueueNameEmpty(), "LocalQueue not set: spec.queueName is empty"},
      {"Misconfigured", QueueNotFound("LocalQueue", "main"), "LocalQueue main not found"},
      {"Misconfigured", QueueLeft("ClusterQueue", "q"), "ClusterQueue q not found or being deleted"},
      {"Misconfigured", NamespaceMismatch("a", "q"), "Namespace a not selected by namespaceSelector of ClusterQueue q"},
      {"Misconfigured", ClaimsNotResolved(Problem("x", "y")), "Device claims not resolved: x: y"},
      {"Misconfigured", ClaimsRejected(Problem("x", "y")), "ResourceClaims rejected: x: y"},
      {"Misconfigured", InvalidPods({}), "Pod resources invalid"},
      {"Misconfigured", InvalidPods({.above_limits = Problem("x", "y"), .outside_limit_ranges = Problem("z", "y")}), "Pod requests exceed limits: x: y; Pod requests or limits violate the LimitRange of the namespace: z: y"},
      {"Misconfigured", AdmissionRejected("422 Invalid: no"), "Admission rejected by the API server; quota released: 422 Invalid: no"},
      {"NoMatchingFlavor", ResourceNotDeclared("x.com/a", "q", "2", "main"), "x.com/a not declared in ClusterQueue q: 2 requested for pod set main; declare it in the ClusterQueue or add an exclusion prefix"},
      {"WaitingForQuota", TopologyHasNoRoom({.topology = "racks", .flavor = "f", .pod_set = "main", .level = "rack", .pods = 2, .fitting = 1, .needed = 2, .nodes = 5}), "Topology racks of flavor f cannot fit 2 pods of pod set main in one domain of level rack: 1 of 2 pods fit; 5 nodes ready"},
      {"WaitingForQuota", TopologyHasNoRoom({.topology = "racks", .flavor = "f", .pod_set = "main", .pods = 8, .fitting = 1, .needed = 2, .slice_size = 4, .nodes = 9, .tainted = 1, .by_selector = 2, .by_affinity = 3}), "Topology racks of flavor f cannot fit 8 pods of pod set main: 1 of 2 slices of 4 pods fit; 9 nodes ready (1 with a taint that is not tolerated, 2 not matched by the node selector, 3 not matched by the node affinity)"},
      {"TopologyPlacementFailed", TopologyHasNoRoom({.topology = "racks", .flavor = "f", .pod_set = "main", .pods = 1, .is_if_empty = true}), "Topology racks of flavor f cannot fit 1 pod of pod set main, even without other workloads: 0 nodes ready"},
      {"TopologyPlacementFailed", SlicesNotSupported("racks", "f", "main"), "Topology racks of flavor f does not support the slices of pod set main: each layer must be below the previous one, not above the requested level, and its size must divide the previous size"},
      {"PendingEvaluation", BehindHead("q", true), "Workload is behind the head of ClusterQueue q (StrictFIFO), not evaluated yet"},
      {"PendingEvaluation", BehindHead("q", false), "Workload is behind the head of ClusterQueue q, not evaluated yet"},
      {"Suspended", QueueStopped("LocalQueue", "main"), "LocalQueue main is stopped"},
      {"Suspended", QueueInactive("q"), "ClusterQueue q is inactive"},
      {"PendingEvaluation", PendingEvaluation(), "Workload queued, not evaluated yet"},
      {"AdmissionGated", AdmissionGated("x.com/gate"), "Admission gated by x.com/gate"},
      {"AdmissionGateCleared", AdmissionGateCleared(), "Admission gates cleared"},
      {"WaitingForPodsReady", WaitingForPodsReady(), "Pods of admitted workloads not ready: admission blocked by blockAdmission"},
      {"OnHold", JobOnHold("status.jobDeploymentStatus is ValidationFailed"), "Job on hold: status.jobDeploymentStatus is ValidationFailed"},
      {"OnHold", ScaledToZero("StatefulSet"), "StatefulSet scaled to 0 pods"},
      {"OnHold", OutOfSync("set"), "Pod sets differ from those of the set"},
      {"WaitingForPreemptedWorkloads", WaitingForPreempted({"a/x", "a/y"}, "2 cpu short"), "Preempted workloads still running (2): a/x, a/y; 2 cpu short"},
      {"WaitingForPreemptedWorkloads", WaitingForPreempted({}, ""), "Preempted workloads still running"},
      {"WaitingForPreemptedWorkloads", WaitingForPreemptedOfOthers(), "Waiting for quota held by workloads being preempted for other workloads"},
      {"WaitingForQuota", SkippedInCycle(), "Quota or preemption targets taken by another workload in the same scheduling cycle"},
      {"WaitingForQuota", PreemptionGated(), "Preemption required, but the preemption gate is closed"},
      {"QuotaReserved", QuotaReserved("q"), "Quota reserved in ClusterQueue q"},
      {"WaitForStart", PodsNotReady(), "Pods not ready"},
      {"Started", PodsReady(), "All pods ready"},
      {"WaitForRecovery", PodsNoLongerReady(), "Pods no longer ready"},
  });
}

TEST(Messages, OfQueueConditions) {
  using namespace messages;
  ExpectRows({
      {"Ready", ClusterQueueReady(), "ClusterQueue admits new workloads"},
      {"Terminating", ClusterQueueTerminating(), "ClusterQueue is being deleted: no new workloads admitted"},
      {"Stopped", ClusterQueueStopped(), "ClusterQueue is stopped: no new workloads admitted"},
      {"CohortCycle", CohortCycle("c"), "Cohort c is its own ancestor: change parentName"},
      {"TopologyNotFound", TopologyNotFound({"racks of ResourceFlavor gpu"}), "Topologies not found: racks of ResourceFlavor gpu"},
      {"FlavorNotFound", FlavorNotFound({"a", "b"}), "ResourceFlavors not found: a, b"},
      {"AdmissionCheckInactive", AdmissionChecksUnusable("AdmissionCheckInactive", {"c"}), "AdmissionChecks unusable (AdmissionCheckInactive): c"},
      {"Ready", LocalQueueReady("q"), "LocalQueue accepts workloads for ClusterQueue q"},
  });
}

TEST(Messages, OfEvents) {
  using namespace messages;
  ExpectRows({
      {"CreatedWorkload", WorkloadCreated("a/b"), "Workload a/b created"},
      {"WriteRejected", WriteRejected("422 Invalid: no"), "Write rejected by the API server, retried with back-off: 422 Invalid: no"},
      {"QueueNameMissing", QueueNameMissing(), "Queue name missing: not admitted until label kueue.x-k8s.io/queue-name names a LocalQueue"},
      {"DeletedWorkload", WorkloadDeleted("a/b", PodSetsDiffer("job")), "Workload a/b deleted: pod sets differ from those of the job"},
      {"UpdatedWorkload", WorkloadUpdated("a/b", PodSetsFollow("job")), "Workload a/b updated: pod sets follow the job"},
      {"UpdatedWorkload", WorkloadUpdated("a/b", PriorityClassIs("")), "Workload a/b updated: priority class is unset"},
      {"FinishedWorkload", WorkloadFinished("a/b"), "Workload a/b finished"},
      {"PreemptedWorkload", WorkloadPreempted("a/b", "u", "q", Priorities({110, 100}, {0, 0})), "Workload a/b (UID u) of ClusterQueue q preempted: preemptor priority 110 (base 100, boost 10); preemptee priority 0 (base 0, boost 0)"},
      {"Deleted", RetentionExpired("Job", "afterFinished", base::Duration::Seconds(3600)), "Job deleted: afterFinished of 1h0m0s has passed"},
      {"Stopped", WorkloadMissing(), "Workload missing"},
      {"Stopped", WorkloadNotFound("b"), "Workload b not found"},
      {"Stopped", WorkloadGone(), "Workload deleted"},
      {"Stopped", NotAdmitted(), "Workload not admitted"},
      {"Started", Admitted("q"), "Admitted by ClusterQueue q"},
      {"QuotaReserved", QuotaReservedAfter("q", base::Duration::Seconds(12)), "Quota reserved in ClusterQueue q after 12s in the queue"},
      {"Admitted", AdmittedAfter("q", base::Duration::Seconds(0)), "Admitted by ClusterQueue q 0s after the reservation"},
      {"Admitted", AdmittedAfterChecks("q", base::Duration::Seconds(3)), "Admitted by ClusterQueue q 3s after the reservation: all AdmissionChecks ready"},
      {"Released", Released(), "Job no longer managed: running without quota"},
      {"WorkloadNameConflict", WorkloadNameConflict("a/b"), "Workload a/b belongs to another owner: give the pod group another name"},
      {"OwnerReferencesAdded", OwnerReferencesAdded(2), "Owner references added to the Workload: 2"},
      {"ExcessPodDeleted", ExcessPodDeleted(), "Pod deleted: group exceeds its total count"},
      {"PodTerminatedByKueue", NodeFailedBeforeStart("n1"), "Node n1 failed before the pod was scheduled"},
      {"PodTerminatedByKueue", NodeLeftAssignment("n1"), "Node n1 removed from the topology assignment before the pod was scheduled"},
      {"KueueForcefullyDeleted", ForcefullyDeleted("n1", base::Duration::Seconds(30)), "Node n1 unreachable: pod force-deleted after its grace period (30s)"},
      {"ResourcesNotCounted", ResourcesNotCounted("memory: admin access"), "Resources not counted against quota: memory: admin access"},
  });
}
// clang-format on

TEST(Messages, NameTheFirstOfManyPreemptedWorkloads) {
  EXPECT_EQ(messages::WaitingForPreempted({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, ""),
            "Preempted workloads still running (10): 1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
}

}  // namespace
}  // namespace berth::lifecycle
