#pragma once

// Feature gates: their names, defaults, and the parsing of the command line and the Configuration.
//
// All of Kueue's gates are known, with Kueue's stage and default, so that a Configuration written
// for Kueue works unchanged. Berth's own four are alpha and off. One default differs:
// ManagedJobsNamespaceSelectorAlwaysRespected, which Kueue locks on, is off and can be set.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "base/flat_map.h"
#include "schema/problem.h"

namespace berth::api {

// All gates, ordered by name.
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
  kTASPreemptFewestInDomain,
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
  bool is_on;              // default
  std::string_view since;  // release that introduced this stage and default; Kueue's unless noted
  std::string_view doc;    // one line: what it does while it is on
  // The reason why it switches nothing here; "" if it does. A test compares it with the code.
  std::string_view no_effect_reason = {};
  std::span<const Gate> needs = {};  // required gates
  bool is_locked = false;            // only the default is allowed
};

// All gates, ordered by name like the enumeration.
std::span<const GateInfo> AllGates();
const GateInfo& InfoOf(Gate gate);
// Null if no gate has this name.
const GateInfo* FindGate(std::string_view name);

// The state of all gates. A value: functions that depend on gates take it as an argument.
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

// Reads `featureGates` of a Configuration: defaults, then AllAlpha and AllBeta, then single gates.
// Reports all unknown gates (with the nearest name), locked gates set to the other value, and gates
// whose required gates are off.
FeatureGatesResult ReadFeatureGates(const base::FlatMap<bool>& settings);

// The same without the settings that ReadFeatureGates would report.
FeatureGates KnownFeatureGates(const base::FlatMap<bool>& settings);

// Parses `--feature-gates`: "A=true,B=false". Boolean values as in Go: true, True, TRUE, t, T, 1
// and their opposites. The last setting of a gate wins.
FeatureGatesResult ParseFeatureGates(std::string_view text);

// Reads the gates of the command line or the Configuration. Setting both is an error. Problems of
// the command line name it as their file.
FeatureGatesResult ChooseFeatureGates(std::string_view text, const base::FlatMap<bool>& settings);

}  // namespace berth::api
