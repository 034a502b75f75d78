#pragma once

#include <string_view>

// Names with a meaning that objects carry as plain text: labels, annotations, finalizers, gates,
// and the types and reasons of conditions. All are Kueue's, so that what reads them goes on
// working; those that only Berth writes say so.
namespace berth::api {

// --- Groups and versions ---

inline constexpr std::string_view kKueueGroup = "kueue.x-k8s.io";
inline constexpr std::string_view kKueueVersion = "v1beta2";
inline constexpr std::string_view kFormerKueueVersions[] = {"v1beta1"};
inline constexpr std::string_view kSchedulingGroup = "scheduling.k8s.io";

// --- Namespaces ---

// The label that the API server gives every namespace: its name.
inline constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";
inline constexpr std::string_view kSystemNamespace = "kube-system";

// --- Labels and annotations of jobs and pods ---

inline constexpr std::string_view kQueueNameLabel = "kueue.x-k8s.io/queue-name";
inline constexpr std::string_view kDefaultLocalQueueName = "default";
inline constexpr std::string_view kPriorityClassLabel = "kueue.x-k8s.io/priority-class";
inline constexpr std::string_view kDefaultPriorityClassName = "default";
inline constexpr std::string_view kMaxExecTimeSecondsLabel = "kueue.x-k8s.io/max-exec-time-seconds";
// Label or annotation: the Workload exists already under this name.
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
// "true" lets pods be deleted by force when their node is gone.
inline constexpr std::string_view kSafeToForcefullyDeleteAnnotation =
    "kueue.x-k8s.io/safe-to-forcefully-delete";
// Names of controllers, separated by commas, that hold the job back until they remove themselves.
inline constexpr std::string_view kAdmissionGatedByAnnotation = "kueue.x-k8s.io/admission-gated-by";
// Annotations with this prefix become parameters of ProvisioningRequests.
inline constexpr std::string_view kProvisioningAnnotationPrefix = "provreq.kueue.x-k8s.io/";
// "true": never admit this job by preempting others, or by borrowing.
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
// Names the label that holds a pod's index.
inline constexpr std::string_view kPodGroupPodIndexLabelAnnotation =
    "kueue.x-k8s.io/pod-group-pod-index-label";
inline constexpr std::string_view kRoleHashAnnotation = "kueue.x-k8s.io/role-hash";
inline constexpr std::string_view kRetriableInGroupAnnotation = "kueue.x-k8s.io/retriable-in-group";
inline constexpr std::string_view kIsGroupWorkloadAnnotation = "kueue.x-k8s.io/is-group-workload";
// The kind of the owner that Kueue suspends in place of the pod.
inline constexpr std::string_view kPodSuspendingParentAnnotation =
    "kueue.x-k8s.io/pod-suspending-parent";

// --- Topology ---

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";
inline constexpr std::string_view kRequiredTopologyAnnotation =
    "kueue.x-k8s.io/podset-required-topology";
inline constexpr std::string_view kPreferredTopologyAnnotation =
    "kueue.x-k8s.io/podset-preferred-topology";
inline constexpr std::string_view kUnconstrainedTopologyAnnotation =
    "kueue.x-k8s.io/podset-unconstrained-topology";
inline constexpr std::string_view kSliceRequiredTopologyAnnotation =
    "kueue.x-k8s.io/podset-slice-required-topology";
inline constexpr std::string_view kSliceSizeAnnotation = "kueue.x-k8s.io/podset-slice-size";
// JSON: the levels and sizes of nested slices.
inline constexpr std::string_view kSliceTopologyConstraintsAnnotation =
    "kueue.x-k8s.io/podset-slice-required-topology-constraints";
inline constexpr std::string_view kPodSetGroupNameAnnotation = "kueue.x-k8s.io/podset-group-name";
inline constexpr std::string_view kPodIndexOffsetAnnotation = "kueue.x-k8s.io/pod-index-offset";

// --- Labels and annotations of Workloads ---

inline constexpr std::string_view kJobUidLabel = "kueue.x-k8s.io/job-uid";
inline constexpr std::string_view kJobOwnerGvkAnnotation = "kueue.x-k8s.io/job-owner-gvk";
inline constexpr std::string_view kJobOwnerNameAnnotation = "kueue.x-k8s.io/job-owner-name";
// Which of the Workloads of a job that has several, by number.
inline constexpr std::string_view kComponentWorkloadIndexAnnotation =
    "kueue.x-k8s.io/component-workload-index";
inline constexpr std::string_view kWorkloadSliceNameAnnotation =
    "kueue.x-k8s.io/workload-slice-name";
inline constexpr std::string_view kWorkloadSliceReplacementForAnnotation =
    "kueue.x-k8s.io/workload-slice-replacement-for";
inline constexpr std::string_view kPriorityBoostAnnotation = "kueue.x-k8s.io/priority-boost";
// Names of flavors, separated by commas.
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

// Of Workloads.
inline constexpr std::string_view kQuotaReserved = "QuotaReserved";
inline constexpr std::string_view kAdmitted = "Admitted";
inline constexpr std::string_view kFinished = "Finished";
inline constexpr std::string_view kPodsReady = "PodsReady";
inline constexpr std::string_view kEvicted = "Evicted";
inline constexpr std::string_view kPreempted = "Preempted";
inline constexpr std::string_view kRequeued = "Requeued";
// About to be deactivated; its reason is the cause.
inline constexpr std::string_view kDeactivationTarget = "DeactivationTarget";
inline constexpr std::string_view kBlockedOnPreemptionGates = "BlockedOnPreemptionGates";
inline constexpr std::string_view kWaitingForReplacementPods = "WaitingForReplacementPods";

// Of ClusterQueues, LocalQueues, AdmissionChecks and MultiKueueClusters.
inline constexpr std::string_view kActive = "Active";

}  // namespace condition

namespace reason {

// Of QuotaReserved and Admitted while they are True.
inline constexpr std::string_view kQuotaReserved = "QuotaReserved";
inline constexpr std::string_view kAdmitted = "Admitted";

// Of QuotaReserved=False.
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
// The same without gate UnadmittedWorkloadsObservability.
inline constexpr std::string_view kInadmissible = "Inadmissible";
inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kWaiting = "Waiting";
inline constexpr std::string_view kOnHold = "OnHold";
inline constexpr std::string_view kAdmissionGated = "AdmissionGated";

// Of Admitted=False.
inline constexpr std::string_view kNoReservation = "NoReservation";
inline constexpr std::string_view kUnsatisfiedAdmissionChecks = "UnsatisfiedAdmissionChecks";
inline constexpr std::string_view kPendingDelayedTopologyRequests =
    "PendingDelayedTopologyRequests";

// Of Evicted.
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

// Of Preempted.
inline constexpr std::string_view kInClusterQueue = "InClusterQueue";
inline constexpr std::string_view kInCohortReclamation = "InCohortReclamation";
inline constexpr std::string_view kInCohortFairSharing = "InCohortFairSharing";
inline constexpr std::string_view kInCohortReclaimWhileBorrowing = "InCohortReclaimWhileBorrowing";

// Of Requeued; while it is False, the reason of the eviction.
inline constexpr std::string_view kBackoffFinished = "BackoffFinished";
inline constexpr std::string_view kClusterQueueRestarted = "ClusterQueueRestarted";
inline constexpr std::string_view kLocalQueueRestarted = "LocalQueueRestarted";
inline constexpr std::string_view kReactivated = "Reactivated";

// Of PodsReady.
inline constexpr std::string_view kWaitForStart = "WaitForStart";
inline constexpr std::string_view kWaitForRecovery = "WaitForRecovery";
inline constexpr std::string_view kStarted = "Started";
inline constexpr std::string_view kRecovered = "Recovered";

// Of Finished.
inline constexpr std::string_view kSucceeded = "Succeeded";
inline constexpr std::string_view kFailed = "Failed";
inline constexpr std::string_view kOutOfSync = "OutOfSync";
inline constexpr std::string_view kOwnerNotFound = "OwnerNotFound";
inline constexpr std::string_view kFailedToStart = "FailedToStart";

// Of BlockedOnPreemptionGates.
inline constexpr std::string_view kPreemptionGated = "PreemptionGated";

// Of Active.
inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kStopped = "Stopped";
// Of Active, of ClusterQueues.
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
// Of Active, of LocalQueues.
inline constexpr std::string_view kClusterQueueIsInactive = "ClusterQueueIsInactive";
inline constexpr std::string_view kClusterQueueDoesNotExist = "ClusterQueueDoesNotExist";
// Of Active, of AdmissionChecks.
inline constexpr std::string_view kBadConfig = "BadConfig";
inline constexpr std::string_view kBadParametersRef = "BadParametersRef";
inline constexpr std::string_view kNoUsableClusters = "NoUsableClusters";
inline constexpr std::string_view kSomeActiveClusters = "SomeActiveClusters";

}  // namespace reason
}  // namespace berth::api
