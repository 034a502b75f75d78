#include "lifecycle/messages.h"

#include <algorithm>
#include <initializer_list>

#include "base/list_text.h"
#include "workload/topology/topology_mismatch.h"

namespace berth::lifecycle::messages {
namespace {

std::string Concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

// ": a; b", or nothing.
std::string After(const schema::Problems& problems) {
  std::string text;
  for (const schema::Problem& problem : problems)
    text += Concat({text.empty() ? ": " : "; ", problem.field, ": ", problem.message});
  return text;
}

// The first few names of a long list.
std::string List(const std::vector<std::string>& names) {
  return base::ListText(names, {.most = 8});
}

// "12s". Clocks of machines differ, so that a wait may seem negative.
std::string InSeconds(base::Duration duration) {
  return std::to_string(std::max<int64_t>(0, static_cast<int64_t>(duration.seconds()))) + "s";
}

// "110 (base 100, boost 10)".
std::string Parts(const Priority& priority) {
  return Concat({std::to_string(priority.effective), " (base ", std::to_string(priority.base),
                 ", boost ", std::to_string(priority.effective - priority.base), ")"});
}

}  // namespace

std::string OwnerNotFound() { return "Owner job not found"; }
std::string OwnerDeleted(std::string_view owner) {
  return Concat({"Owner ", owner, " is being deleted"});
}
std::string OutOfSync(std::string_view owner) {
  return Concat({"Pod sets differ from those of the ", owner});
}
std::string SliceReplaced(std::string_view newer_slice) {
  return Concat({"Replaced by Workload slice ", newer_slice});
}

std::string RequeuingLimitExceeded(int32_t limit) {
  return Concat({"backoffLimitCount of ", std::to_string(limit), " exceeded"});
}
std::string MaximumExecutionTimeExceeded(int32_t limit_seconds) {
  return Concat({"maximumExecutionTime of ", std::to_string(limit_seconds), "s exceeded"});
}
std::string AdmissionChecksIn(std::string_view state, const api::Workload& workload) {
  std::string text;
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state != state) continue;
    text += (text.empty() ? "" : "; ") + check.name;
    if (!check.message.empty()) text += " (" + check.message + ")";
  }
  return Concat({"AdmissionChecks in state ", state, ": ", text});
}
std::string Deactivated(std::string_view cause) {
  return Concat({"Workload deactivated: ", cause.empty() ? "spec.active is false" : cause});
}
std::string PodsReadyTimeout(std::string_view field, base::Duration limit) {
  return Concat({"Pods not ready within ", field, " of ", base::FormatDuration(limit)});
}
std::string Preempted(const Preemption& preemption) {
  return Concat({"Preempted by Workload ", preemption.preemptor, " (", preemption.reason,
                 "): Workload UID ", preemption.preemptor_uid, ", job UID ",
                 preemption.job_uid.empty() ? "none" : preemption.job_uid, "; preemptor path ",
                 preemption.preemptor_path, "; preemptee path ", preemption.preemptee_path});
}
std::string NodeNotReplaced(std::string_view node) {
  return Concat({"Node ", node, " failed: no replacement node available"});
}
std::string SeveralNodeFailures(const std::vector<std::string>& nodes) {
  return Concat({"Nodes failed (", std::to_string(nodes.size()), "): ", List(nodes),
                 "; at most 1 is replaced at a time"});
}
std::string Reactivated() { return "Workload reactivated"; }
std::string BackoffFinished() { return "Requeuing back-off finished"; }
std::string QueueResumed(std::string_view kind, std::string_view name) {
  return Concat({kind, " ", name, " resumed"});
}

std::string QueueNameEmpty() { return "LocalQueue not set: spec.queueName is empty"; }
std::string QueueNotFound(std::string_view kind, std::string_view name) {
  return Concat({kind, " ", name, " not found"});
}
std::string QueueLeft(std::string_view kind, std::string_view name) {
  return Concat({kind, " ", name, " not found or being deleted"});
}
std::string QueueStopped(std::string_view kind, std::string_view name) {
  return Concat({kind, " ", name, " is stopped"});
}
std::string QueueInactive(std::string_view cluster_queue) {
  return Concat({"ClusterQueue ", cluster_queue, " is inactive"});
}
std::string NamespaceMismatch(std::string_view namespace_name, std::string_view cluster_queue) {
  return Concat({"Namespace ", namespace_name,
                 " not selected by namespaceSelector of ClusterQueue ", cluster_queue});
}
std::string ResourceNotDeclared(std::string_view resource, std::string_view cluster_queue,
                                std::string_view amount, std::string_view pod_set) {
  return Concat({resource, " not declared in ClusterQueue ", cluster_queue, ": ", amount,
                 " requested for pod set ", pod_set,
                 "; declare it in the ClusterQueue or add an exclusion prefix"});
}
namespace {

// "3 of 4 slices of 8 pods fit; ", "12 of 16 pods fit; ".
std::string FittingText(const NoRoom& room) {
  if (room.needed == 0) return "";
  const auto needed = static_cast<size_t>(room.needed);
  const std::string units = room.slice_size == 1
                                ? base::CountText(needed, "pod")
                                : base::CountText(needed, "slice") + " of " +
                                      base::CountText(static_cast<size_t>(room.slice_size), "pod");
  return Concat({std::to_string(room.fitting), " of ", units, " fit; "});
}

std::string ExcludedText(const NoRoom& room) {
  std::string text;
  const auto add = [&](size_t nodes, std::string_view why) {
    if (nodes > 0) text += Concat({text.empty() ? " (" : ", ", std::to_string(nodes), why});
  };
  add(room.tainted, " with a taint that is not tolerated");
  add(room.by_selector, " not matched by the node selector");
  add(room.by_affinity, " not matched by the node affinity");
  return text.empty() ? "" : text + ")";
}

}  // namespace

std::string TopologyHasNoRoom(const NoRoom& room) {
  const std::string level =
      room.level.empty() ? "" : Concat({" in one domain of level ", room.level});
  const std::string pods = base::CountText(static_cast<size_t>(room.pods), "pod");
  return Concat({"Topology ", room.topology, " of flavor ", room.flavor, " cannot fit ", pods,
                 " of pod set ", room.pod_set, level,
                 room.is_if_empty ? ", even without other workloads: " : ": ", FittingText(room),
                 base::CountText(room.nodes, "node"), " ready", ExcludedText(room)});
}
std::string SlicesNotSupported(std::string_view topology, std::string_view flavor,
                               std::string_view pod_set) {
  return Concat({"Topology ", topology, " of flavor ", flavor,
                 " does not support the slices of pod set ", pod_set, ": ", workload::kSliceRule});
}
std::string ClaimsNotResolved(const schema::Problems& problems) {
  std::string text = "Device claims not resolved" + After(problems);
  if (!problems.empty() && !problems.front().hint.empty())
    text += Concat({"; ", problems.front().hint});
  return text;
}
std::string InvalidPods(const workload::InvalidRequests& problems) {
  std::string text;
  if (!problems.above_limits.empty())
    text = "Pod requests exceed limits" + After(problems.above_limits);
  if (!problems.outside_limit_ranges.empty())
    text += (text.empty() ? "" : "; ") +
            std::string("Pod requests or limits violate the LimitRange of the namespace") +
            After(problems.outside_limit_ranges);
  return text.empty() ? "Pod resources invalid" : text;
}
std::string AdmissionRejected(std::string_view failure) {
  return Concat({"Admission rejected by the API server; quota released: ", failure});
}
std::string WriteRejected(std::string_view failure) {
  return Concat({"Write rejected by the API server, retried with back-off: ", failure});
}
std::string ClaimsRejected(const schema::Problems& problems) {
  return "ResourceClaims rejected" + After(problems);
}
std::string PendingEvaluation() { return "Workload queued, not evaluated yet"; }
std::string BehindHead(std::string_view cluster_queue, bool is_strict_fifo) {
  return Concat({"Workload is behind the head of ClusterQueue ", cluster_queue,
                 is_strict_fifo ? " (StrictFIFO)" : "", ", not evaluated yet"});
}
std::string AdmissionGated(std::string_view gates) {
  return Concat({"Admission gated by ", gates});
}
std::string AdmissionGateCleared() { return "Admission gates cleared"; }
std::string WaitingForPodsReady() {
  return "Pods of admitted workloads not ready: admission blocked by blockAdmission";
}
std::string JobOnHold(std::string_view why) { return Concat({"Job on hold: ", why}); }
std::string ScaledToZero(std::string_view kind) { return Concat({kind, " scaled to 0 pods"}); }
std::string WaitingForPreempted(const std::vector<std::string>& workloads,
                                std::string_view shortage) {
  std::string text = "Preempted workloads still running";
  if (!workloads.empty())
    text += Concat({" (", std::to_string(workloads.size()), "): ", List(workloads)});
  if (!shortage.empty()) text += Concat({"; ", shortage});
  return text;
}
std::string WaitingForPreemptedOfOthers() {
  return "Waiting for quota held by workloads being preempted for other workloads";
}
std::string SkippedInCycle() {
  return "Quota or preemption targets taken by another workload in the same scheduling cycle";
}
std::string PreemptionGated() { return "Preemption required, but the preemption gate is closed"; }

std::string QuotaReserved(std::string_view cluster_queue) {
  return Concat({"Quota reserved in ClusterQueue ", cluster_queue});
}
std::string Admitted(std::string_view cluster_queue) {
  return Concat({"Admitted by ClusterQueue ", cluster_queue});
}
std::string QuotaReservedAfter(std::string_view cluster_queue, base::Duration waited) {
  return Concat({QuotaReserved(cluster_queue), " after ", InSeconds(waited), " in the queue"});
}
std::string AdmittedAfter(std::string_view cluster_queue, base::Duration waited) {
  return Concat({Admitted(cluster_queue), " ", InSeconds(waited), " after the reservation"});
}
std::string AdmittedAfterChecks(std::string_view cluster_queue, base::Duration waited) {
  return AdmittedAfter(cluster_queue, waited) + ": all AdmissionChecks ready";
}

std::string PodsNotReady() { return "Pods not ready"; }
std::string PodsReady() { return "All pods ready"; }
std::string PodsNoLongerReady() { return "Pods no longer ready"; }

std::string ClusterQueueReady() { return "ClusterQueue admits new workloads"; }
std::string ClusterQueueTerminating() {
  return "ClusterQueue is being deleted: no new workloads admitted";
}
std::string ClusterQueueStopped() { return "ClusterQueue is stopped: no new workloads admitted"; }
std::string CohortCycle(std::string_view cohort) {
  return Concat({"Cohort ", cohort, " is its own ancestor: change parentName"});
}
std::string FlavorNotFound(const std::vector<std::string>& flavors) {
  return "ResourceFlavors not found: " + List(flavors);
}
std::string TopologyNotFound(const std::vector<std::string>& topologies) {
  return "Topologies not found: " + List(topologies);
}
std::string AdmissionChecksUnusable(std::string_view reason,
                                    const std::vector<std::string>& checks) {
  if (checks.empty()) return std::string(reason);
  return Concat({"AdmissionChecks unusable (", reason, "): ", List(checks)});
}
std::string LocalQueueReady(std::string_view cluster_queue) {
  return Concat({"LocalQueue accepts workloads for ClusterQueue ", cluster_queue});
}

std::string WorkloadCreated(std::string_view workload) {
  return Concat({"Workload ", workload, " created"});
}
std::string QueueNameMissing() {
  return "Queue name missing: not admitted until label kueue.x-k8s.io/queue-name names a "
         "LocalQueue";
}
std::string WorkloadDeleted(std::string_view workload, std::string_view why) {
  return Concat({"Workload ", workload, " deleted: ", why});
}
std::string WorkloadUpdated(std::string_view workload, std::string_view why) {
  return Concat({"Workload ", workload, " updated: ", why});
}
std::string WorkloadFinished(std::string_view workload) {
  return Concat({"Workload ", workload, " finished"});
}
std::string Priorities(const Priority& preemptor, const Priority& preemptee) {
  return Concat(
      {"preemptor priority ", Parts(preemptor), "; preemptee priority ", Parts(preemptee)});
}
std::string WorkloadPreempted(std::string_view workload, std::string_view uid,
                              std::string_view cluster_queue, std::string_view priorities) {
  return Concat({"Workload ", workload, " (UID ", uid, ") of ClusterQueue ", cluster_queue,
                 " preempted: ", priorities});
}
std::string RetentionExpired(std::string_view kind, std::string_view field,
                             base::Duration retention) {
  return Concat(
      {kind, " deleted: ", field, " of ", base::FormatDuration(retention), " has passed"});
}
std::string WorkloadMissing() { return "Workload missing"; }
std::string WorkloadNotFound(std::string_view workload) {
  return Concat({"Workload ", workload, " not found"});
}
std::string WorkloadGone() { return "Workload deleted"; }
std::string NotAdmitted() { return "Workload not admitted"; }
std::string Released() { return "Job no longer managed: running without quota"; }
std::string WorkloadNameConflict(std::string_view workload) {
  return Concat(
      {"Workload ", workload, " belongs to another owner: give the pod group another name"});
}
std::string OwnerReferencesAdded(size_t count) {
  return "Owner references added to the Workload: " + std::to_string(count);
}
std::string ExcessPodDeleted() { return "Pod deleted: group exceeds its total count"; }
std::string NodeFailedBeforeStart(std::string_view node) {
  return Concat({"Node ", node, " failed before the pod was scheduled"});
}
std::string NodeLeftAssignment(std::string_view node) {
  return Concat(
      {"Node ", node, " removed from the topology assignment before the pod was scheduled"});
}
std::string ForcefullyDeleted(std::string_view node, base::Duration grace) {
  return Concat({"Node ", node, " unreachable: pod force-deleted after its grace period (",
                 base::FormatDuration(grace), ")"});
}
std::string ResourcesNotCounted(std::string_view resources) {
  return Concat({"Resources not counted against quota: ", resources});
}

std::string PodSetsDiffer(std::string_view owner) {
  return Concat({"pod sets differ from those of the ", owner});
}
std::string PodSetsFollow(std::string_view owner) {
  return Concat({"pod sets follow the ", owner});
}
std::string PriorityClassIs(std::string_view name) {
  return Concat({"priority class is ", name.empty() ? "unset" : name});
}

}  // namespace berth::lifecycle::messages
