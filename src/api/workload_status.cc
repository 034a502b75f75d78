#include "api/list_keys.h"
#include "api/names.h"
#include "api/workload.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

const schema::Struct& RequeueState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&RequeueState::count>("count", "How often it was queued again since it was activated.")
          .Min(0),
      Member<&RequeueState::requeue_at>("requeueAt", "When it is queued again."),
  };
  static constexpr auto kStruct = schema::Describe<RequeueState>(
      "RequeueState", "Pause after an eviction for pods that were not ready in time.", kFields);
  return kStruct;
}

const schema::Struct& ReclaimablePod::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReclaimablePod::name>("name", "Name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&ReclaimablePod::count>("count", "Number of pods that need their quota no more.")
          .Required()
          .Min(0),
  };
  static constexpr auto kStruct = schema::Describe<ReclaimablePod>(
      "ReclaimablePod", "Pods of a set that have finished for good.", kFields);
  return kStruct;
}

const schema::Struct& PodSetRequest::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetRequest::name>("name", "Name of the pod set.")
          .Required()
          .MaxLength(63)
          .Matches(kDnsLabelPattern),
      Member<&PodSetRequest::resources>("resources",
                                        "What all pods of the set together would be charged for."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSetRequest>("PodSetRequest", "What a waiting pod set asks for.", kFields);
  return kStruct;
}

const schema::Struct& SchedulingStatsEviction::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SchedulingStatsEviction::reason>("reason", "Reason of the evictions.")
          .Required()
          .MaxLength(316),
      Member<&SchedulingStatsEviction::underlying_cause>("underlyingCause",
                                                         "Finer cause; may be empty.")
          .Required()
          .MaxLength(316),
      Member<&SchedulingStatsEviction::count>("count", "Number of evictions.").Required().Min(0),
  };
  static constexpr auto kStruct = schema::Describe<SchedulingStatsEviction>(
      "SchedulingStatsEviction", "How often the workload was evicted for one reason.", kFields);
  return kStruct;
}

const schema::Struct& SchedulingStats::Description() {
  static constexpr std::string_view kByReasonAndCause[] = {"reason", "underlyingCause"};
  static constexpr schema::Field kFields[] = {
      Member<&SchedulingStats::evictions>("evictions", "Evictions by reason and cause.")
          .MaxItems(256)
          .MapBy(kByReasonAndCause),
  };
  static constexpr auto kStruct = schema::Describe<SchedulingStats>(
      "SchedulingStats", "What happened to the workload so far, in numbers.", kFields);
  return kStruct;
}

const schema::Struct& UnhealthyNode::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&UnhealthyNode::name>("name", "Name of the node.").Required().MaxLength(63),
  };
  static constexpr auto kStruct = schema::Describe<UnhealthyNode>(
      "UnhealthyNode", "A failed node for which a replacement is sought.", kFields);
  return kStruct;
}

const schema::Struct& PreemptionGateState::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PreemptionGateState::name>("name", "Name of the gate.")
          .Required()
          .MinLength(1)
          .MaxLength(63),
      Member<&PreemptionGateState::position>("position", "Whether the gate lets through.")
          .Required()
          .OneOf(kPreemptionGatePositions),
      Member<&PreemptionGateState::last_transition_time>("lastTransitionTime",
                                                         "When position last changed.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<PreemptionGateState>(
      "PreemptionGateState", "How a preemption gate stands.", kFields);
  return kStruct;
}

const schema::Struct& WorkloadStatus::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&WorkloadStatus::conditions>("conditions",
                                          "State: QuotaReserved, Admitted, Finished and others.")
          .MaxItems(16)
          .MapBy(kByType),
      Member<&WorkloadStatus::admission>("admission", "What the workload was given."),
      Member<&WorkloadStatus::requeue_state>("requeueState",
                                             "Pause before the workload is queued again."),
      Member<&WorkloadStatus::reclaimable_pods>("reclaimablePods",
                                                "Pods that need their quota no more.")
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadStatus::admission_checks>("admissionChecks", "What the checks say.")
          .MaxItems(8)
          .MapBy(kByName),
      Member<&WorkloadStatus::resource_requests>("resourceRequests",
                                                 "What the workload asks for while it waits.")
          .MaxItems(18)
          .MapBy(kByName),
      Member<&WorkloadStatus::accumulated_past_execution_time_seconds>(
          "accumulatedPastExecutionTimeSeconds", "Time it was admitted before its evictions.")
          .FormerName("accumulatedPastExexcutionTimeSeconds"),
      Member<&WorkloadStatus::scheduling_stats>("schedulingStats", "Evictions so far."),
      Member<&WorkloadStatus::nominated_cluster_names>("nominatedClusterNames",
                                                       "Clusters that compete for the workload.")
          .MaxItems(20)
          .Items({.max_length = 256}),
      Member<&WorkloadStatus::cluster_name>("clusterName", "Cluster that the workload was sent to.")
          .MaxLength(256),
      Member<&WorkloadStatus::unhealthy_nodes>("unhealthyNodes",
                                               "Failed nodes for which replacements are sought.")
          .MaxItems(8)
          .MapBy(kByName),
      Member<&WorkloadStatus::preemption_gates>("preemptionGates", "How the gates stand.")
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
      "WorkloadStatus", "What became of the workload.", kFields, kRules);
  return kStruct;
}

}  // namespace berth::api
