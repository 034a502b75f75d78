// The table of feature_gates.h.

#include <algorithm>
#include <iterator>

#include "api/config/feature_gates.h"
#include "base/check.h"

namespace berth::api {
namespace {

constexpr bool kOn = true;
constexpr bool kOff = false;

constexpr Gate kNeedsTopology[] = {Gate::kTopologyAwareScheduling};
constexpr Gate kNeedsNodeReplacement[] = {Gate::kTopologyAwareScheduling,
                                          Gate::kTASFailedNodeReplacement};
constexpr Gate kNeedsSlicesAndTopology[] = {Gate::kElasticJobsViaWorkloadSlices,
                                            Gate::kTopologyAwareScheduling};
constexpr Gate kNeedsDra[] = {Gate::kKueueDRAIntegration};
constexpr Gate kNeedsFungibility[] = {Gate::kFlavorFungibility};
constexpr Gate kNeedsObservability[] = {Gate::kUnadmittedWorkloadsObservability};

// Why a gate switches nothing.
constexpr std::string_view kOwnNodeRules = "placement has its own rules for nodes";
constexpr std::string_view kAlwaysKept = "always kept, and updated with every change";
constexpr std::string_view kAlwaysVectors = "always vectors";
constexpr std::string_view kNoMultiKueue = "MultiKueue is missing";
constexpr std::string_view kNoProvisioning = "the controller of ProvisioningRequests is missing";
constexpr std::string_view kAlwaysMergePatches = "Workloads are always written with merge patches";

// clang-format off
constexpr GateInfo kGates[] = {
    {Gate::kAdmissionFairSharing, "AdmissionFairSharing", GateStage::kBeta, kOn, "0.15",
     "Orders LocalQueues of a ClusterQueue by their past usage."},
    {Gate::kAdmissionGatedBy, "AdmissionGatedBy", GateStage::kBeta, kOn, "0.19",
     "Holds workloads until the annotation kueue.x-k8s.io/admission-gated-by is removed."},
    {Gate::kAssignQueueLabelsForPods, "AssignQueueLabelsForPods", GateStage::kBeta, kOn, "0.17",
     "Labels pods with the names of their LocalQueue and ClusterQueue."},
    {Gate::kCleanupProvisioningRequestsOnEviction, "CleanupProvisioningRequestsOnEviction", GateStage::kBeta, kOn, "0.19",
     "Deletes the ProvisioningRequests of evicted Workloads.", kNoProvisioning},
    {Gate::kClusterQueueResourceExclusion, "ClusterQueueResourceExclusion", GateStage::kAlpha, kOff, "Berth 0.1",
     "Reads excludeResourcePrefixes of ClusterQueues; prefixes match whole names and domains in both lists."},
    {Gate::kConcurrentAdmission, "ConcurrentAdmission", GateStage::kAlpha, kOff, "0.18",
     "Validates concurrent admission of ClusterQueues. No variants of workloads are created: that part is missing."},
    {Gate::kCustomMetricLabels, "CustomMetricLabels", GateStage::kAlpha, kOff, "0.17",
     "Adds labels of objects to metrics, as metrics.customLabels lists them."},
    {Gate::kDeferRayServiceFinalizationForRedisCleanup, "DeferRayServiceFinalizationForRedisCleanup", GateStage::kBeta, kOn, "0.19",
     "Keeps the Workload of a deleted RayService with GCS fault tolerance until the RayService is gone, so that its Redis cleanup can run."},
    {Gate::kDisableWaitForPodsReady, "DisableWaitForPodsReady", GateStage::kAlpha, kOff, "0.19",
     "Ignores waitForPodsReady."},
    {Gate::kElasticJobsViaWorkloadSlices, "ElasticJobsViaWorkloadSlices", GateStage::kBeta, kOn, "0.18",
     "Lets elastic jobs change their size while they run, with a Workload for each size."},
    {Gate::kElasticJobsViaWorkloadSlicesWithTAS, "ElasticJobsViaWorkloadSlicesWithTAS", GateStage::kAlpha, kOff, "0.17",
     "Places the pods of elastic jobs by topology.", {}, kNeedsSlicesAndTopology},
    {Gate::kFailureRecoveryPolicy, "FailureRecoveryPolicy", GateStage::kAlpha, kOff, "0.15",
     "Deletes pods by force that are stuck in deletion on unreachable nodes, if they state that it is safe."},
    {Gate::kFairSharingPreemptWithinNominal, "FairSharingPreemptWithinNominal", GateStage::kBeta, kOn, "0.17",
     "With fair sharing, a ClusterQueue within its nominal quota preempts regardless of shares."},
    {Gate::kFairSharingPrioritizeNonBorrowing, "FairSharingPrioritizeNonBorrowing", GateStage::kBeta, kOn, "0.17",
     "With fair sharing, workloads that do not borrow are considered first, at every level of the cohort tree."},
    {Gate::kFastQuotaReleaseInPodIntegration, "FastQuotaReleaseInPodIntegration", GateStage::kAlpha, kOff, "0.17",
     "Releases the quota of a pod as soon as it is marked as deleted."},
    {Gate::kFinishOrphanedWorkloads, "FinishOrphanedWorkloads", GateStage::kBeta, kOn, "0.18",
     "Finishes Workloads whose owner no longer exists."},
    {Gate::kFlavorFungibility, "FlavorFungibility", GateStage::kBeta, kOn, "0.5",
     "Reads flavorFungibility of ClusterQueues."},
    {Gate::kFlavorFungibilityPreserveScanProgress, "FlavorFungibilityPreserveScanProgress", GateStage::kBeta, kOn, "0.20",
     "Continues the search for a flavor in the next cycle where it stopped, although usage has changed.", {}, kNeedsFungibility},
    {Gate::kKueueDRAIntegration, "KueueDRAIntegration", GateStage::kBeta, kOn, "0.18",
     "Reads resources.deviceClassMappings: claimed devices count against quota."},
    {Gate::kKueueDRAIntegrationConsumableCapacity, "KueueDRAIntegrationConsumableCapacity", GateStage::kAlpha, kOff, "0.19",
     "Accepts capacities of devices as sources of device class mappings. They are not counted.", {}, kNeedsDra},
    {Gate::kKueueDRAIntegrationExtendedResource, "KueueDRAIntegrationExtendedResource", GateStage::kBeta, kOn, "0.19",
     "Counts requests for extended resources that a DeviceClass provides as its devices.", {}, kNeedsDra},
    {Gate::kKueueDRAIntegrationPartitionableDevices, "KueueDRAIntegrationPartitionableDevices", GateStage::kBeta, kOn, "0.19",
     "Accepts counters of devices as sources of device class mappings. They are not counted.", {}, kNeedsDra},
    {Gate::kKueueDRARejectWorkloadsWhenDRADisabled, "KueueDRARejectWorkloadsWhenDRADisabled", GateStage::kBeta, kOn, "0.18",
     "With KueueDRAIntegration off, workloads that claim devices are inadmissible."},
    {Gate::kKueueDynamicResourceAllocation, "KueueDynamicResourceAllocation", GateStage::kAlpha, kOff, "Berth 0.1",
     "Reads kind: DeviceClass in the quota of ClusterQueues and Cohorts."},
    {Gate::kLWSImmutableGroupSize, "LWSImmutableGroupSize", GateStage::kBeta, kOn, "0.20",
     "Rejects changes of the group size of a managed LeaderWorkerSet."},
    {Gate::kLocalQueueMetrics, "LocalQueueMetrics", GateStage::kBeta, kOn, "0.17",
     "Serves metrics of LocalQueues."},
    {Gate::kManagedJobsNamespaceSelectorAlwaysRespected, "ManagedJobsNamespaceSelectorAlwaysRespected", GateStage::kAlpha, kOff, "0.13",
     "Applies managedJobsNamespaceSelector also to jobs with a queue name."},
    {Gate::kMetricForWorkloadCreationLatency, "MetricForWorkloadCreationLatency", GateStage::kBeta, kOn, "0.18",
     "Serves the metric of the time between the creation of a job and of its Workload."},
    {Gate::kMetricsForCohorts, "MetricsForCohorts", GateStage::kBeta, kOn, "0.18",
     "Serves metrics of Cohorts."},
    {Gate::kMultiKueue, "MultiKueue", GateStage::kBeta, kOn, "0.9",
     "Names MultiKueue as the controller of jobs for worker clusters. No queue has such jobs: MultiKueue is missing."},
    {Gate::kMultiKueueAdaptersForCustomJobs, "MultiKueueAdaptersForCustomJobs", GateStage::kBeta, kOn, "0.15",
     "Dispatches jobs of kinds that the Configuration lists.", kNoMultiKueue},
    {Gate::kMultiKueueClusterProfile, "MultiKueueClusterProfile", GateStage::kAlpha, kOff, "0.15",
     "Finds worker clusters through ClusterProfiles.", kNoMultiKueue},
    {Gate::kMultiKueueIncrementalDispatcherConfig, "MultiKueueIncrementalDispatcherConfig", GateStage::kBeta, kOn, "0.19",
     "Reads the step size of the incremental dispatcher.", kNoMultiKueue},
    {Gate::kMultiKueueIncrementalDispatcherRespectConfigOrder, "MultiKueueIncrementalDispatcherRespectConfigOrder", GateStage::kBeta, kOn, "0.19",
     "Nominates worker clusters in the order of the MultiKueueConfig.", kNoMultiKueue},
    {Gate::kMultiKueueKubeConfigPathValidation, "MultiKueueKubeConfigPathValidation", GateStage::kBeta, kOn, "0.20",
     "Accepts kubeconfigs of worker clusters in one directory only.", kNoMultiKueue},
    {Gate::kMultiKueueManagerQuotaAutomation, "MultiKueueManagerQuotaAutomation", GateStage::kAlpha, kOff, "0.18",
     "Derives the quota of the manager from that of the worker clusters.", kNoMultiKueue},
    {Gate::kMultiKueueOrchestratedPreemption, "MultiKueueOrchestratedPreemption", GateStage::kAlpha, kOff, "0.17",
     "Respects preemption gates of Workloads."},
    {Gate::kMultiKueueRemoteSpecSync, "MultiKueueRemoteSpecSync", GateStage::kBeta, kOn, "0.20",
     "Copies changes of a job to the worker cluster after admission.", kNoMultiKueue},
    {Gate::kPartialAdmission, "PartialAdmission", GateStage::kBeta, kOn, "0.5",
     "Admits workloads with fewer pods if they declare a minimum."},
    {Gate::kPodIntegrationValidateGroupOwner, "PodIntegrationValidateGroupOwner", GateStage::kBeta, kOn, "0.18",
     "A pod group rejects a Workload of its name that was created for others."},
    {Gate::kPrioritizePreemptorWorkloads, "PrioritizePreemptorWorkloads", GateStage::kAlpha, kOff, "0.20",
     "Considers workloads first that wait for the end of their preemptions."},
    {Gate::kPriorityBoost, "PriorityBoost", GateStage::kAlpha, kOff, "0.17",
     "Adds the annotation kueue.x-k8s.io/priority-boost to the priority of a Workload."},
    {Gate::kPrioritySortingWithinCohort, "PrioritySortingWithinCohort", GateStage::kBeta, kOn, "0.6",
     "Orders the heads of a cohort by priority."},
    {Gate::kQuotaCheck, "QuotaCheck", GateStage::kAlpha, kOff, "Berth 0.1",
     "Reads resources.quotaCheck."},
    {Gate::kQuotaCheckStrategy, "QuotaCheckStrategy", GateStage::kBeta, kOn, "0.19",
     "Reads resources.quotaCheckStrategy."},
    {Gate::kReclaimablePods, "ReclaimablePods", GateStage::kBeta, kOn, "0.15",
     "Releases the quota of pods that finish before their job."},
    {Gate::kRecomputeAssignmentUponPreemptionTargetsOverlap, "RecomputeAssignmentUponPreemptionTargetsOverlap", GateStage::kBeta, kOn, "0.20",
     "Selects other preemption targets if an earlier workload of the cycle has selected the same."},
    {Gate::kRejectUpdatesToCQWithInvalidOnFlavors, "RejectUpdatesToCQWithInvalidOnFlavors", GateStage::kAlpha, kOff, "0.18",
     "Rejects updates of ClusterQueues whose admission checks name flavors that the queue does not have."},
    {Gate::kRemoveFinalizersWithStrictPatch, "RemoveFinalizersWithStrictPatch", GateStage::kBeta, kOn, "0.17",
     "Removes the finalizer of a pod only from its known version, so that a concurrent change is not undone."},
    {Gate::kSchedulerLibraryIntegration, "SchedulerLibraryIntegration", GateStage::kAlpha, kOff, "0.19",
     "Simulates the scheduler of Kubernetes during placement.", kOwnNodeRules},
    {Gate::kSchedulingEquivalenceHashing, "SchedulingEquivalenceHashing", GateStage::kBeta, kOn, "0.18",
     "Skips workloads that are equal to one that was inadmissible."},
    {Gate::kShortWorkloadNames, "ShortWorkloadNames", GateStage::kAlpha, kOff, "0.17",
     "Limits generated names of Workloads to 63 characters."},
    {Gate::kSkipAncestorCheckForDeletedWorkloads, "SkipAncestorCheckForDeletedWorkloads", GateStage::kBeta, kOn, "0.20",
     "Webhooks neither suspend nor restrict jobs that are being deleted, whose owners may be gone."},
    {Gate::kSkipReassignmentForPodOwnedWorkloads, "SkipReassignmentForPodOwnedWorkloads", GateStage::kBeta, kOn, "0.19",
     "The Workload of a single pod keeps its place on a failed node, and is not requeued after an eviction: the pod is "
     "deleted."},
    {Gate::kSparkApplicationIntegration, "SparkApplicationIntegration", GateStage::kAlpha, kOff, "0.17",
     "Manages SparkApplications, if integrations.frameworks lists them."},
    {Gate::kTASAssignmentsEncodingByHostnamePrefix, "TASAssignmentsEncodingByHostnamePrefix", GateStage::kBeta, kOn, "0.19",
     "Shortens topology assignments with prefixes of host names."},
    {Gate::kTASBalancedPlacement, "TASBalancedPlacement", GateStage::kAlpha, kOff, "0.15",
     "Distributes pods evenly between topology domains.", {}, kNeedsTopology},
    {Gate::kTASCacheNodeMatchResults, "TASCacheNodeMatchResults", GateStage::kBeta, kOn, "0.19",
     "Caches which nodes match a pod set.", kAlwaysKept},
    {Gate::kTASCacheTopologyTree, "TASCacheTopologyTree", GateStage::kBeta, kOn, "0.20",
     "Caches the tree of topology domains.", kAlwaysKept},
    {Gate::kTASCachingRemainingResources, "TASCachingRemainingResources", GateStage::kBeta, kOn, "0.19",
     "Caches the free capacity of nodes.", kAlwaysKept},
    {Gate::kTASFailedNodeReplacement, "TASFailedNodeReplacement", GateStage::kBeta, kOn, "0.14",
     "Replaces failed nodes in topology assignments.", {}, kNeedsTopology},
    {Gate::kTASFailedNodeReplacementFailFast, "TASFailedNodeReplacementFailFast", GateStage::kBeta, kOn, "0.14",
     "Evicts workloads for whose failed node there is no replacement at once.", {}, kNeedsNodeReplacement},
    {Gate::kTASHandleOverlappingFlavors, "TASHandleOverlappingFlavors", GateStage::kBeta, kOn, "0.18",
     "Handles nodes that belong to several flavors with a topology.", {}, kNeedsTopology},
    {Gate::kTASMultiLayerTopology, "TASMultiLayerTopology", GateStage::kBeta, kOn, "0.19",
     "Allows several layers of slices in topology requests.", {}, kNeedsTopology},
    {Gate::kTASPreemptFewestInDomain, "TASPreemptFewestInDomain", GateStage::kAlpha, kOff, "Berth 0.1",
     "Preempts the fewest workloads of one topology domain.", {}, kNeedsTopology},
    {Gate::kTASProfileMixed, "TASProfileMixed", GateStage::kBeta, kOn, "0.15",
     "Selects the placement algorithm by the topology request.", {}, kNeedsTopology},
    {Gate::kTASRecomputeAssignmentWithinSchedulingCycle, "TASRecomputeAssignmentWithinSchedulingCycle", GateStage::kBeta, kOn, "0.19",
     "Computes a topology assignment again if it no longer fits within a cycle.", {}, kNeedsTopology},
    {Gate::kTASReplaceNodeDueToNotReadyOverFixedTime, "TASReplaceNodeDueToNotReadyOverFixedTime", GateStage::kDeprecated, kOff, "0.19",
     "Treats a node as failed after 30 seconds without readiness, whatever its pods do.", {}, kNeedsNodeReplacement},
    {Gate::kTASReplaceNodeOnNodeTaints, "TASReplaceNodeOnNodeTaints", GateStage::kBeta, kOn, "0.17",
     "Treats a node as failed if it has a taint that the pods do not tolerate.", {}, kNeedsTopology},
    {Gate::kTASReplaceNodeOnPodTermination, "TASReplaceNodeOnPodTermination", GateStage::kBeta, kOn, "0.14",
     "Treats a node that is not ready or tainted as failed once its pods terminate, not after a fixed time.", {}, kNeedsNodeReplacement},
    {Gate::kTASRespectNodeAffinityPreferred, "TASRespectNodeAffinityPreferred", GateStage::kAlpha, kOff, "0.18",
     "Reads preferred node affinities during placement.", {}, kNeedsTopology},
    {Gate::kTASValidateWorkloadSliceSize, "TASValidateWorkloadSliceSize", GateStage::kBeta, kOn, "0.20",
     "Rejects Workloads with topology slices of no pods."},
    {Gate::kTLSOptions, "TLSOptions", GateStage::kGa, kOn, "0.20",
     "Reads tls.", {}, {}, true},
    {Gate::kTopologyAwareScheduling, "TopologyAwareScheduling", GateStage::kBeta, kOn, "0.14",
     "Places pods in topology domains."},
    {Gate::kUnadmittedWorkloadsExplicitStatus, "UnadmittedWorkloadsExplicitStatus", GateStage::kBeta, kOff, "0.19",
     "Sets QuotaReserved and Admitted to False as soon as a Workload is queued.", {}, kNeedsObservability},
    {Gate::kUnadmittedWorkloadsObservability, "UnadmittedWorkloadsObservability", GateStage::kBeta, kOn, "0.19",
     "Serves metrics with the reasons why workloads are not admitted. Conditions always have them."},
    {Gate::kValidateRayAndSparkJobUpdates, "ValidateRayAndSparkJobUpdates", GateStage::kBeta, kOn, "0.18",
     "Validates an update of a Ray job or SparkApplication that removes its queue name."},
    {Gate::kVectorizedResourceRequests, "VectorizedResourceRequests", GateStage::kBeta, kOn, "0.19",
     "Stores requests as vectors during placement.", kAlwaysVectors},
    {Gate::kVisibilityOnDemand, "VisibilityOnDemand", GateStage::kBeta, kOn, "0.9",
     "Serves the visibility API."},
    {Gate::kWorkloadAdmissionConstraints, "WorkloadAdmissionConstraints", GateStage::kAlpha, kOff, "Berth 0.1",
     "Reads admission constraints of jobs and Workloads."},
    {Gate::kWorkloadIdentifierAnnotations, "WorkloadIdentifierAnnotations", GateStage::kBeta, kOn, "0.18",
     "Reads the names of pod groups and prebuilt Workloads from annotations."},
    {Gate::kWorkloadPriorityClassDefaulting, "WorkloadPriorityClassDefaulting", GateStage::kBeta, kOn, "0.20",
     "Gives jobs without a priority class the WorkloadPriorityClass \"default\", if there is one."},
    {Gate::kWorkloadRequestUseMergePatch, "WorkloadRequestUseMergePatch", GateStage::kAlpha, kOff, "0.14",
     "Writes Workloads with merge patches.", kAlwaysMergePatches},
    {Gate::kWorkloadValidateResourcesAreNonNegative, "WorkloadValidateResourcesAreNonNegative", GateStage::kBeta, kOn, "0.20",
     "Rejects Workloads with negative requests or limits."},
    {Gate::kWorkloadValidationForPodSetMetadata, "WorkloadValidationForPodSetMetadata", GateStage::kBeta, kOn, "0.20",
     "Rejects Workloads with invalid labels or annotations of pods."},
};
// clang-format on

constexpr bool IsInOrder() {
  for (size_t i = 0; i < std::size(kGates); ++i) {
    if (static_cast<size_t>(kGates[i].gate) != i) return false;
    if (i > 0 && kGates[i - 1].name >= kGates[i].name) return false;
  }
  return std::size(kGates) == kGateCount;
}
static_assert(IsInOrder(), "one row for each gate, in the order of the names");

}  // namespace

std::span<const GateInfo> AllGates() { return kGates; }

const GateInfo& InfoOf(Gate gate) {
  CHECK(static_cast<size_t>(gate) < kGateCount);
  return kGates[static_cast<size_t>(gate)];
}

const GateInfo* FindGate(std::string_view name) {
  const auto* it = std::ranges::lower_bound(kGates, name, {}, &GateInfo::name);
  return it != std::end(kGates) && it->name == name ? it : nullptr;
}

}  // namespace berth::api
