#pragma once

#include <string_view>

// Well-known names: labels, annotations, finalizers, gates, and condition types and reasons. All
// are Kueue's, for compatibility with its clients; those specific to Berth are marked.
namespace berth::api {

// --- Groups and versions ---

inline constexpr std::string_view kKueueGroup = "kueue.x-k8s.io";
inline constexpr std::string_view kKueueVersion = "v1beta2";
inline constexpr std::string_view kPreviousKueueVersions[] = {"v1beta1"};
inline constexpr std::string_view kSchedulingGroup = "scheduling.k8s.io";

// --- Namespaces ---

// The label with the namespace's name, set by the API server.
inline constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";
inline constexpr std::string_view kSystemNamespace = "kube-system";

// --- Labels and annotations of jobs and pods ---

inline constexpr std::string_view kQueueNameLabel = "kueue.x-k8s.io/queue-name";
inline constexpr std::string_view kDefaultLocalQueueName = "default";
inline constexpr std::string_view kPriorityClassLabel = "kueue.x-k8s.io/priority-class";
inline constexpr std::string_view kDefaultPriorityClassName = "default";
inline constexpr std::string_view kMaxExecTimeSecondsLabel = "kueue.x-k8s.io/max-exec-time-seconds";
// Label or annotation: the name of an existing Workload to use.
inline constexpr std::string_view kPrebuiltWorkloadName = "kueue.x-k8s.io/prebuilt-workload-name";
inline constexpr std::string_view kManagedLabel = "kueue.x-k8s.io/managed";
inline constexpr std::string_view kPodSetLabel = "kueue.x-k8s.io/podset";
inline constexpr std::string_view kClusterQueueNameLabel = "kueue.x-k8s.io/cluster-queue-name";
inline constexpr std::string_view kLocalQueueNameLabel = "kueue.x-k8s.io/local-queue-name";
inline constexpr std::string_view kWorkloadAnnotation = "kueue.x-k8s.io/workload";
inline constexpr std::string_view kElasticJobAnnotation = "kueue.x-k8s.io/elastic-job";
inline constexpr std::string_view kMinParallelismAnnotation = "kueue.x-k8s.io/job-min-parallelism";
inline constexpr std::string_view kCompletionsEqualParallelismAnnotation =
    "kueue.x-k8s.io/job-completions-equal-parallelism";
inline constexpr std::string_view kStoppingAnnotation = "kueue.x-k8s.io/stopping";
// "true" allows forced deletion of pods whose node is gone.
inline constexpr std::string_view kSafeToForcefullyDeleteAnnotation =
    "kueue.x-k8s.io/safe-to-forcefully-delete";
// Comma-separated names of controllers that block admission until they remove their entries.
inline constexpr std::string_view kAdmissionGatedByAnnotation = "kueue.x-k8s.io/admission-gated-by";
// Annotations with this prefix are parameters of ProvisioningRequests.
inline constexpr std::string_view kProvisioningAnnotationPrefix = "provreq.kueue.x-k8s.io/";
// "true" forbids preemption or borrowing on behalf of the job.
inline constexpr std::string_view kCannotPreemptAnnotation = "kueue.x-k8s.io/cannot-preempt";
inline constexpr std::string_view kCannotBorrowAnnotation = "kueue.x-k8s.io/cannot-borrow";

// --- Pod groups ---

inline constexpr std::string_view kPodGroupName = "kueue.x-k8s.io/pod-group-name";
inline constexpr std::string_view kPodGroupTotalCountAnnotation =
    "kueue.x-k8s.io/pod-group-total-count";
inline constexpr std::string_view kPodGroupFastAdmissionAnnotation =
    "kueue.x-k8s.io/pod-group-fast-admission";
inline constexpr std::string_view kPodGroupServingAnnotation = "kueue.x-k8s.io/pod-group-serving";
inline constexpr std::string_view kPodGroupPodIndexLabel = "kueue.x-k8s.io/pod-group-pod-index";
// Names the label with a pod's index.
inline constexpr std::string_view kPodGroupPodIndexLabelAnnotation =
    "kueue.x-k8s.io/pod-group-pod-index-label";
inline constexpr std::string_view kRoleHashAnnotation = "kueue.x-k8s.io/role-hash";
inline constexpr std::string_view kRetriableInGroupAnnotation = "kueue.x-k8s.io/retriable-in-group";
inline constexpr std::string_view kIsGroupWorkloadAnnotation = "kueue.x-k8s.io/is-group-workload";
// The kind of the owner that is suspended instead of the pod.
inline constexpr std::string_view kPodSuspendingParentAnnotation =
    "kueue.x-k8s.io/pod-suspending-parent";

// --- Topology ---

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";
// On pods that Kueue has placed, of versions that set no annotation for flavors with a topology.
inline constexpr std::string_view kTopologyLabel = "kueue.x-k8s.io/tas";
inline constexpr std::string_view kRequiredTopologyAnnotation =
    "kueue.x-k8s.io/podset-required-topology";
inline constexpr std::string_view kPreferredTopologyAnnotation =
    "kueue.x-k8s.io/podset-preferred-topology";
inline constexpr std::string_view kUnconstrainedTopologyAnnotation =
    "kueue.x-k8s.io/podset-unconstrained-topology";
inline constexpr std::string_view kSliceRequiredTopologyAnnotation =
    "kueue.x-k8s.io/podset-slice-required-topology";
inline constexpr std::string_view kSliceSizeAnnotation = "kueue.x-k8s.io/podset-slice-size";
// JSON with levels and sizes of nested slices.
inline constexpr std::string_view kSliceTopologyConstraintsAnnotation =
    "kueue.x-k8s.io/podset-slice-required-topology-constraints";
inline constexpr std::string_view kPodSetGroupNameAnnotation = "kueue.x-k8s.io/podset-group-name";
inline constexpr std::string_view kPodIndexOffsetAnnotation = "kueue.x-k8s.io/pod-index-offset";

// --- Labels and annotations of Workloads ---

inline constexpr std::string_view kJobUidLabel = "kueue.x-k8s.io/job-uid";
inline constexpr std::string_view kJobOwnerGvkAnnotation = "kueue.x-k8s.io/job-owner-gvk";
inline constexpr std::string_view kJobOwnerNameAnnotation = "kueue.x-k8s.io/job-owner-name";
// The index of the Workload, for jobs with several.
inline constexpr std::string_view kComponentWorkloadIndexAnnotation =
    "kueue.x-k8s.io/component-workload-index";
inline constexpr std::string_view kWorkloadSliceNameAnnotation =
    "kueue.x-k8s.io/workload-slice-name";
inline constexpr std::string_view kWorkloadSliceReplacementForAnnotation =
    "kueue.x-k8s.io/workload-slice-replacement-for";
inline constexpr std::string_view kPriorityBoostAnnotation = "kueue.x-k8s.io/priority-boost";
// Comma-separated flavor names.
inline constexpr std::string_view kAllowedResourceFlavorsAnnotation =
    "kueue.x-k8s.io/workload-allowed-resource-flavors";
inline constexpr std::string_view kConcurrentAdmissionParentLabel =
    "kueue.x-k8s.io/concurrent-admission-parent";
inline constexpr std::string_view kMultiKueueOriginLabel = "kueue.x-k8s.io/multikueue-origin";
inline constexpr std::string_view kMultiKueueOriginUidAnnotation =
    "kueue.x-k8s.io/multikueue-origin-uid";

// --- Finalizers, scheduling gates, preemption gates, controllers ---

inline constexpr std::string_view kResourceInUseFinalizer = "kueue.x-k8s.io/resource-in-use";
inline constexpr std::string_view kAdmissionSchedulingGate = "kueue.x-k8s.io/admission";
inline constexpr std::string_view kTopologySchedulingGate = "kueue.x-k8s.io/topology";
inline constexpr std::string_view kElasticJobSchedulingGate = "kueue.x-k8s.io/elastic-job";
inline constexpr std::string_view kMultiKueuePreemptionGate = "kueue.x-k8s.io/multikueue";
inline constexpr std::string_view kConcurrentAdmissionPreemptionGate =
    "kueue.x-k8s.io/concurrent-admission";
inline constexpr std::string_view kMultiKueueControllerName = "kueue.x-k8s.io/multikueue";
inline constexpr std::string_view kProvisioningRequestControllerName =
    "kueue.x-k8s.io/provisioning-request";

// --- Conditions ---

namespace condition {

// Workloads.
inline constexpr std::string_view kQuotaReserved = "QuotaReserved";
inline constexpr std::string_view kAdmitted = "Admitted";
inline constexpr std::string_view kFinished = "Finished";
inline constexpr std::string_view kPodsReady = "PodsReady";
inline constexpr std::string_view kEvicted = "Evicted";
inline constexpr std::string_view kPreempted = "Preempted";
inline constexpr std::string_view kRequeued = "Requeued";
// The Workload is to be deactivated; the reason is the cause.
inline constexpr std::string_view kDeactivationTarget = "DeactivationTarget";
inline constexpr std::string_view kBlockedOnPreemptionGates = "BlockedOnPreemptionGates";
inline constexpr std::string_view kWaitingForReplacementPods = "WaitingForReplacementPods";

// ClusterQueues, LocalQueues, AdmissionChecks and MultiKueueClusters.
inline constexpr std::string_view kActive = "Active";

}  // namespace condition

namespace reason {

// QuotaReserved=True and Admitted=True.
inline constexpr std::string_view kQuotaReserved = "QuotaReserved";
inline constexpr std::string_view kAdmitted = "Admitted";

// QuotaReserved=False.
inline constexpr std::string_view kNoMatchingFlavor = "NoMatchingFlavor";
inline constexpr std::string_view kWaitingForQuota = "WaitingForQuota";
inline constexpr std::string_view kExceedsMaxQuota = "ExceedsMaxQuota";
inline constexpr std::string_view kTopologyPlacementFailed = "TopologyPlacementFailed";
inline constexpr std::string_view kWaitingForPreemptedWorkloads = "WaitingForPreemptedWorkloads";
inline constexpr std::string_view kMisconfigured = "Misconfigured";
inline constexpr std::string_view kSuspended = "Suspended";
inline constexpr std::string_view kPendingEvaluation = "PendingEvaluation";
inline constexpr std::string_view kWaitingForPodsReady = "WaitingForPodsReady";
inline constexpr std::string_view kAdmissionConstrained = "AdmissionConstrained";  // Berth's
// QuotaReserved=False, without gate UnadmittedWorkloadsObservability.
inline constexpr std::string_view kInadmissible = "Inadmissible";
inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kWaiting = "Waiting";
inline constexpr std::string_view kOnHold = "OnHold";
inline constexpr std::string_view kAdmissionGated = "AdmissionGated";

// Admitted=False.
inline constexpr std::string_view kNoReservation = "NoReservation";
inline constexpr std::string_view kUnsatisfiedAdmissionChecks = "UnsatisfiedAdmissionChecks";
inline constexpr std::string_view kPendingDelayedTopologyRequests =
    "PendingDelayedTopologyRequests";

// Evicted.
inline constexpr std::string_view kPreempted = "Preempted";
inline constexpr std::string_view kFlavorMigration = "FlavorMigration";
inline constexpr std::string_view kPodsReadyTimeout = "PodsReadyTimeout";
inline constexpr std::string_view kAdmissionCheck = "AdmissionCheck";
inline constexpr std::string_view kClusterQueueStopped = "ClusterQueueStopped";
inline constexpr std::string_view kLocalQueueStopped = "LocalQueueStopped";
inline constexpr std::string_view kNodeFailures = "NodeFailures";
inline constexpr std::string_view kEvictedOnManagerCluster = "EvictedOnManagerCluster";
inline constexpr std::string_view kDeactivated = "Deactivated";
inline constexpr std::string_view kWorkloadSliceReplaced = "WorkloadSliceReplaced";

// Causes of deactivation.
inline constexpr std::string_view kRequeuingLimitExceeded = "RequeuingLimitExceeded";
inline constexpr std::string_view kMaximumExecutionTimeExceeded = "MaximumExecutionTimeExceeded";

// Preempted.
inline constexpr std::string_view kInClusterQueue = "InClusterQueue";
inline constexpr std::string_view kInCohortReclamation = "InCohortReclamation";
inline constexpr std::string_view kInCohortFairSharing = "InCohortFairSharing";
inline constexpr std::string_view kInCohortReclaimWhileBorrowing = "InCohortReclaimWhileBorrowing";

// Requeued=True. While False, the reason is that of the eviction.
inline constexpr std::string_view kBackoffFinished = "BackoffFinished";
inline constexpr std::string_view kClusterQueueRestarted = "ClusterQueueRestarted";
inline constexpr std::string_view kLocalQueueRestarted = "LocalQueueRestarted";
inline constexpr std::string_view kReactivated = "Reactivated";

// PodsReady.
inline constexpr std::string_view kWaitForStart = "WaitForStart";
inline constexpr std::string_view kWaitForRecovery = "WaitForRecovery";
inline constexpr std::string_view kStarted = "Started";
inline constexpr std::string_view kRecovered = "Recovered";

// Finished.
inline constexpr std::string_view kSucceeded = "Succeeded";
inline constexpr std::string_view kFailed = "Failed";
inline constexpr std::string_view kOutOfSync = "OutOfSync";
inline constexpr std::string_view kOwnerNotFound = "OwnerNotFound";
inline constexpr std::string_view kFailedToStart = "FailedToStart";

// BlockedOnPreemptionGates.
inline constexpr std::string_view kPreemptionGated = "PreemptionGated";

// Active.
inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kStopped = "Stopped";
// Active of ClusterQueues.
inline constexpr std::string_view kTerminating = "Terminating";
inline constexpr std::string_view kFlavorNotFound = "FlavorNotFound";
inline constexpr std::string_view kTopologyNotFound = "TopologyNotFound";
inline constexpr std::string_view kAdmissionCheckNotFound = "AdmissionCheckNotFound";
inline constexpr std::string_view kAdmissionCheckInactive = "AdmissionCheckInactive";
inline constexpr std::string_view kMultipleMultiKueueAdmissionChecks =
    "MultipleMultiKueueAdmissionChecks";
inline constexpr std::string_view kMultiKueueAdmissionCheckAppliedPerFlavor =
    "MultiKueueAdmissionCheckAppliedPerFlavor";
inline constexpr std::string_view kMultiKueueWithProvisioningRequest =
    "MultiKueueWithProvisioningRequest";
inline constexpr std::string_view kDeviceClassConflict = "DeviceClassConflict";  // Berth's
inline constexpr std::string_view kUnknown = "Unknown";
// Active of LocalQueues.
inline constexpr std::string_view kClusterQueueIsInactive = "ClusterQueueIsInactive";
inline constexpr std::string_view kClusterQueueDoesNotExist = "ClusterQueueDoesNotExist";
// Active of AdmissionChecks.
inline constexpr std::string_view kBadConfig = "BadConfig";
inline constexpr std::string_view kBadParametersRef = "BadParametersRef";
inline constexpr std::string_view kNoUsableClusters = "NoUsableClusters";
inline constexpr std::string_view kSomeActiveClusters = "SomeActiveClusters";

}  // namespace reason
}  // namespace berth::api
