#pragma once

// The switches of features: which there are, how they stand unless somebody sets them, and how the
// settings of the command line and of the Configuration are read.
//
// Kueue's gates are all known, with Kueue's stage and default, so that a Configuration written for
// Kueue is read as it is. Berth's own four are alpha and off. One default differs:
// ManagedJobsNamespaceSelectorAlwaysRespected, which Kueue has locked on, is off and can be set.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "base/flat_map.h"
#include "schema/problem.h"

namespace berth::api {

// Every gate, by name.
enum class Gate : uint8_t {
  kAdmissionFairSharing,
  kAdmissionGatedBy,
  kAssignQueueLabelsForPods,
  kCleanupProvisioningRequestsOnEviction,
  kClusterQueueResourceExclusion,
  kConcurrentAdmission,
  kCustomMetricLabels,
  kDeferRayServiceFinalizationForRedisCleanup,
  kDisableWaitForPodsReady,
  kElasticJobsViaWorkloadSlices,
  kElasticJobsViaWorkloadSlicesWithTAS,
  kFailureRecoveryPolicy,
  kFairSharingPreemptWithinNominal,
  kFairSharingPrioritizeNonBorrowing,
  kFastQuotaReleaseInPodIntegration,
  kFinishOrphanedWorkloads,
  kFlavorFungibility,
  kFlavorFungibilityPreserveScanProgress,
  kKueueDRAIntegration,
  kKueueDRAIntegrationConsumableCapacity,
  kKueueDRAIntegrationExtendedResource,
  kKueueDRAIntegrationPartitionableDevices,
  kKueueDRARejectWorkloadsWhenDRADisabled,
  kKueueDynamicResourceAllocation,
  kLWSImmutableGroupSize,
  kLocalQueueMetrics,
  kManagedJobsNamespaceSelectorAlwaysRespected,
  kMetricForWorkloadCreationLatency,
  kMetricsForCohorts,
  kMultiKueue,
  kMultiKueueAdaptersForCustomJobs,
  kMultiKueueClusterProfile,
  kMultiKueueIncrementalDispatcherConfig,
  kMultiKueueIncrementalDispatcherRespectConfigOrder,
  kMultiKueueKubeConfigPathValidation,
  kMultiKueueManagerQuotaAutomation,
  kMultiKueueOrchestratedPreemption,
  kMultiKueueRemoteSpecSync,
  kPartialAdmission,
  kPodIntegrationValidateGroupOwner,
  kPrioritizePreemptorWorkloads,
  kPriorityBoost,
  kPrioritySortingWithinCohort,
  kQuotaCheck,
  kQuotaCheckStrategy,
  kReclaimablePods,
  kRecomputeAssignmentUponPreemptionTargetsOverlap,
  kRejectUpdatesToCQWithInvalidOnFlavors,
  kRemoveFinalizersWithStrictPatch,
  kSchedulerLibraryIntegration,
  kSchedulingEquivalenceHashing,
  kShortWorkloadNames,
  kSkipAncestorCheckForDeletedWorkloads,
  kSkipReassignmentForPodOwnedWorkloads,
  kSparkApplicationIntegration,
  kTASAssignmentsEncodingByHostnamePrefix,
  kTASBalancedPlacement,
  kTASCacheNodeMatchResults,
  kTASCacheTopologyTree,
  kTASCachingRemainingResources,
  kTASFailedNodeReplacement,
  kTASFailedNodeReplacementFailFast,
  kTASHandleOverlappingFlavors,
  kTASMultiLayerTopology,
  kTASProfileMixed,
  kTASRecomputeAssignmentWithinSchedulingCycle,
  kTASReplaceNodeDueToNotReadyOverFixedTime,
  kTASReplaceNodeOnNodeTaints,
  kTASReplaceNodeOnPodTermination,
  kTASRespectNodeAffinityPreferred,
  kTASValidateWorkloadSliceSize,
  kTLSOptions,
  kTopologyAwareScheduling,
  kUnadmittedWorkloadsExplicitStatus,
  kUnadmittedWorkloadsObservability,
  kValidateRayAndSparkJobUpdates,
  kVectorizedResourceRequests,
  kVisibilityOnDemand,
  kWorkloadAdmissionConstraints,
  kWorkloadIdentifierAnnotations,
  kWorkloadPriorityClassDefaulting,
  kWorkloadRequestUseMergePatch,
  kWorkloadValidateResourcesAreNonNegative,
  kWorkloadValidationForPodSetMetadata,
};
inline constexpr size_t kGateCount =
    static_cast<size_t>(Gate::kWorkloadValidationForPodSetMetadata) + 1;

enum class GateStage : uint8_t { kAlpha, kBeta, kGa, kDeprecated };

// "Alpha", "Beta", "GA", "Deprecated".
std::string_view ToString(GateStage stage);

struct GateInfo {
  Gate gate;
  std::string_view name;
  GateStage stage;
  bool is_on;              // unless set
  std::string_view since;  // release that gave it this stage and default, of Kueue if not said
  std::span<const Gate> needs = {};  // on only together with these
  bool is_locked = false;            // cannot be set to anything but its default
};

// All gates in the order of their names, which is that of the enumeration.
std::span<const GateInfo> AllGates();
const GateInfo& InfoOf(Gate gate);
// Null if no gate has this name.
const GateInfo* FindGate(std::string_view name);

// How all gates stand. A value: whoever decides something takes it, or a part of it, as argument.
class FeatureGates {
 public:
  // Every gate at its default.
  FeatureGates();

  bool IsOn(Gate gate) const { return on_[static_cast<size_t>(gate)]; }
  void Set(Gate gate, bool on) { on_[static_cast<size_t>(gate)] = on; }

  friend bool operator==(const FeatureGates&, const FeatureGates&) = default;

 private:
  std::bitset<kGateCount> on_;
};

using FeatureGatesResult = std::expected<FeatureGates, schema::Problems>;

// The gates that a Configuration's `featureGates` gives: the defaults, then AllAlpha and AllBeta
// where they are named, then single gates. Reported, all at once: an unknown gate (with the name
// that was probably meant), a locked gate that is set to the other value, and a gate that is on
// while one that it needs is off.
FeatureGatesResult ReadFeatureGates(const base::FlatMap<bool>& settings);

// The same for the text of `--feature-gates`: "A=true,B=false". Values as Go reads booleans: true,
// True, TRUE, t, T, 1 and their opposites. The last setting of a gate wins.
FeatureGatesResult ParseFeatureGates(std::string_view text);

// What a process takes: the command line's gates or the Configuration's. Both given is an error.
FeatureGatesResult ChooseFeatureGates(std::string_view text, const base::FlatMap<bool>& settings);

}  // namespace berth::api
