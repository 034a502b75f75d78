#include "api/kueue/workload.h"
#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

const schema::Struct& RequeueState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RequeueState::count>(
          "count", "count is the number of requeues since the Workload was activated.")
          .Min(0),
      Member<&RequeueState::requeue_at>("requeueAt", "requeueAt is the time of the next requeue."),
  };
  static constexpr auto kStruct = schema::Describe<RequeueState>(
      "RequeueState",
      "RequeueState is the back-off after evictions for pods that were not ready in time.",
      kFields);
  return kStruct;
}

const schema::Struct& ReclaimablePod::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReclaimablePod::name>("name", "name is the name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&ReclaimablePod::count>("count",
                                     "count is the number of pods that no longer need quota.")
          .Required()
          .Min(0),
  };
  static constexpr auto kStruct = schema::Describe<ReclaimablePod>(
      "ReclaimablePod", "ReclaimablePod is the number of finished pods of a pod set.", kFields);
  return kStruct;
}

const schema::Struct& PodSetRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetRequest::name>("name", "name is the name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&PodSetRequest::resources>(
          "resources", "resources is the quota to charge for all pods of the set together."),
  };
  static constexpr auto kStruct = schema::Describe<PodSetRequest>(
      "PodSetRequest", "PodSetRequest is the requests of a pod set of a pending Workload.",
      kFields);
  return kStruct;
}

const schema::Struct& SchedulingStatsEviction::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SchedulingStatsEviction::reason>("reason", "reason is the reason of the evictions.")
          .Required()
          .MaxLength(316),
      Member<&SchedulingStatsEviction::underlying_cause>(
          "underlyingCause", "underlyingCause refines the reason. May be empty.")
          .Required()
          .MaxLength(316),
      Member<&SchedulingStatsEviction::count>("count", "count is the number of evictions.")
          .Required()
          .Min(0),
  };
  static constexpr auto kStruct = schema::Describe<SchedulingStatsEviction>(
      "SchedulingStatsEviction",
      "SchedulingStatsEviction counts the evictions for one reason and cause.", kFields);
  return kStruct;
}

const schema::Struct& SchedulingStats::Description() {
  static constexpr std::string_view kByReasonAndCause[] = {"reason", "underlyingCause"};
  static constexpr schema::Field kFields[] = {
      Member<&SchedulingStats::evictions>("evictions",
                                          "evictions counts evictions by reason and cause.")
          .MaxItems(256)
          .MapBy(kByReasonAndCause),
  };
  static constexpr auto kStruct = schema::Describe<SchedulingStats>(
      "SchedulingStats", "SchedulingStats holds statistics of the Workload.", kFields);
  return kStruct;
}

const schema::Struct& UnhealthyNode::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&UnhealthyNode::name>("name", "name is the name of the node.")
          .Required()
          .MaxLength(63),
  };
  static constexpr auto kStruct = schema::Describe<UnhealthyNode>(
      "UnhealthyNode", "UnhealthyNode is a failed node to be replaced.", kFields);
  return kStruct;
}

const schema::Struct& PreemptionGateState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreemptionGateState::name>("name", "name is the name of the gate.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
      Member<&PreemptionGateState::position>(
          "position", "position is the position of the gate: Open or Closed.")
          .Required()
          .OneOf(kPreemptionGatePositions),
      Member<&PreemptionGateState::last_transition_time>(
          "lastTransitionTime", "lastTransitionTime is the time at which position last changed.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<PreemptionGateState>(
      "PreemptionGateState", "PreemptionGateState is the state of a preemption gate.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadStatus::conditions>(
          "conditions", "conditions holds conditions such as QuotaReserved, Admitted and Finished.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&WorkloadStatus::admission>("admission",
                                         "admission is the quota reserved for the Workload."),
      Member<&WorkloadStatus::requeue_state>(
          "requeueState", "requeueState is the back-off before the next requeue."),
      Member<&WorkloadStatus::reclaimable_pods>(
          "reclaimablePods", "reclaimablePods lists pods that no longer need quota.")
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadStatus::admission_checks>(
          "admissionChecks", "admissionChecks lists the states of the admission checks.")
          .MaxItems(8)
          .MapBy(kByName),
      Member<&WorkloadStatus::resource_requests>(
          "resourceRequests", "resourceRequests lists the requests of a pending Workload.")
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadStatus::accumulated_past_execution_time_seconds>(
          "accumulatedPastExecutionTimeSeconds",
          "accumulatedPastExecutionTimeSeconds is the time spent admitted before past evictions.")
          .PreviousName("accumulatedPastExexcutionTimeSeconds"),
      Member<&WorkloadStatus::scheduling_stats>("schedulingStats",
                                                "schedulingStats holds statistics of evictions."),
      Member<&WorkloadStatus::nominated_cluster_names>(
          "nominatedClusterNames",
          "nominatedClusterNames lists worker clusters nominated for the Workload.")
          .MaxItems(20)
          .Items({.max_length = 256}),
      Member<&WorkloadStatus::cluster_name>(
          "clusterName", "clusterName is the worker cluster that the Workload was dispatched to.")
          .MaxLength(256),
      Member<&WorkloadStatus::unhealthy_nodes>("unhealthyNodes",
                                               "unhealthyNodes lists failed nodes to be replaced.")
          .MaxItems(8)
          .MapBy(kByName),
      Member<&WorkloadStatus::preemption_gates>(
          "preemptionGates", "preemptionGates lists the states of the preemption gates.")
          .MaxItems(8)
          .MapBy(kByName)
          .New(),
  };
  static constexpr schema::Rule kRules[] = {
      MustChange<[](const WorkloadStatus& self, const WorkloadStatus& old) {
        return !old.cluster_name || !self.cluster_name || old.cluster_name == self.cluster_name;
      }>("!has(oldSelf.clusterName) || !has(self.clusterName) || "
         "oldSelf.clusterName == self.clusterName",
         "clusterName cannot be changed; clear it first, by evicting the workload"),
      Must<[](const WorkloadStatus& self) {
        return !self.cluster_name || self.nominated_cluster_names.empty();
      }>("!has(self.clusterName) || !has(self.nominatedClusterNames) || "
         "size(self.nominatedClusterNames) == 0",
         "nominatedClusterNames must be empty once clusterName is set"),
  };
  static constexpr auto kStruct = schema::Describe<WorkloadStatus>(
      "WorkloadStatus", "WorkloadStatus is the observed state of a Workload.", kFields, kRules);
  return kStruct;
}

}  // namespace berth::api
