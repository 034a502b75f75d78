#include "api/config/feature_gates.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "api/meta/problem_report.h"
#include "base/check.h"
#include "base/suggest.h"
#include "base/text.h"

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

// clang-format off
constexpr GateInfo kGates[] = {
    {Gate::kAdmissionFairSharing, "AdmissionFairSharing", GateStage::kBeta, kOn, "0.15"},
    {Gate::kAdmissionGatedBy, "AdmissionGatedBy", GateStage::kBeta, kOn, "0.19"},
    {Gate::kAssignQueueLabelsForPods, "AssignQueueLabelsForPods", GateStage::kBeta, kOn, "0.17"},
    {Gate::kCleanupProvisioningRequestsOnEviction, "CleanupProvisioningRequestsOnEviction", GateStage::kBeta, kOn, "0.19"},
    {Gate::kClusterQueueResourceExclusion, "ClusterQueueResourceExclusion", GateStage::kAlpha, kOff, "Berth 0.1"},
    {Gate::kConcurrentAdmission, "ConcurrentAdmission", GateStage::kAlpha, kOff, "0.18"},
    {Gate::kCustomMetricLabels, "CustomMetricLabels", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kDeferRayServiceFinalizationForRedisCleanup, "DeferRayServiceFinalizationForRedisCleanup", GateStage::kBeta, kOn, "0.19"},
    {Gate::kDisableWaitForPodsReady, "DisableWaitForPodsReady", GateStage::kAlpha, kOff, "0.19"},
    {Gate::kElasticJobsViaWorkloadSlices, "ElasticJobsViaWorkloadSlices", GateStage::kBeta, kOn, "0.18"},
    {Gate::kElasticJobsViaWorkloadSlicesWithTAS, "ElasticJobsViaWorkloadSlicesWithTAS", GateStage::kAlpha, kOff, "0.17", kNeedsSlicesAndTopology},
    {Gate::kFailureRecoveryPolicy, "FailureRecoveryPolicy", GateStage::kAlpha, kOff, "0.15"},
    {Gate::kFairSharingPreemptWithinNominal, "FairSharingPreemptWithinNominal", GateStage::kBeta, kOn, "0.17"},
    {Gate::kFairSharingPrioritizeNonBorrowing, "FairSharingPrioritizeNonBorrowing", GateStage::kBeta, kOn, "0.17"},
    {Gate::kFastQuotaReleaseInPodIntegration, "FastQuotaReleaseInPodIntegration", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kFinishOrphanedWorkloads, "FinishOrphanedWorkloads", GateStage::kBeta, kOn, "0.18"},
    {Gate::kFlavorFungibility, "FlavorFungibility", GateStage::kBeta, kOn, "0.5"},
    {Gate::kFlavorFungibilityPreserveScanProgress, "FlavorFungibilityPreserveScanProgress", GateStage::kBeta, kOn, "0.20", kNeedsFungibility},
    {Gate::kKueueDRAIntegration, "KueueDRAIntegration", GateStage::kBeta, kOn, "0.18"},
    {Gate::kKueueDRAIntegrationConsumableCapacity, "KueueDRAIntegrationConsumableCapacity", GateStage::kAlpha, kOff, "0.19", kNeedsDra},
    {Gate::kKueueDRAIntegrationExtendedResource, "KueueDRAIntegrationExtendedResource", GateStage::kBeta, kOn, "0.19", kNeedsDra},
    {Gate::kKueueDRAIntegrationPartitionableDevices, "KueueDRAIntegrationPartitionableDevices", GateStage::kBeta, kOn, "0.19", kNeedsDra},
    {Gate::kKueueDRARejectWorkloadsWhenDRADisabled, "KueueDRARejectWorkloadsWhenDRADisabled", GateStage::kBeta, kOn, "0.18"},
    {Gate::kKueueDynamicResourceAllocation, "KueueDynamicResourceAllocation", GateStage::kAlpha, kOff, "Berth 0.1"},
    {Gate::kLWSImmutableGroupSize, "LWSImmutableGroupSize", GateStage::kBeta, kOn, "0.20"},
    {Gate::kLocalQueueMetrics, "LocalQueueMetrics", GateStage::kBeta, kOn, "0.17"},
    {Gate::kManagedJobsNamespaceSelectorAlwaysRespected, "ManagedJobsNamespaceSelectorAlwaysRespected", GateStage::kAlpha, kOff, "0.13"},
    {Gate::kMetricForWorkloadCreationLatency, "MetricForWorkloadCreationLatency", GateStage::kBeta, kOn, "0.18"},
    {Gate::kMetricsForCohorts, "MetricsForCohorts", GateStage::kBeta, kOn, "0.18"},
    {Gate::kMultiKueue, "MultiKueue", GateStage::kBeta, kOn, "0.9"},
    {Gate::kMultiKueueAdaptersForCustomJobs, "MultiKueueAdaptersForCustomJobs", GateStage::kBeta, kOn, "0.15"},
    {Gate::kMultiKueueClusterProfile, "MultiKueueClusterProfile", GateStage::kAlpha, kOff, "0.15"},
    {Gate::kMultiKueueIncrementalDispatcherConfig, "MultiKueueIncrementalDispatcherConfig", GateStage::kBeta, kOn, "0.19"},
    {Gate::kMultiKueueIncrementalDispatcherRespectConfigOrder, "MultiKueueIncrementalDispatcherRespectConfigOrder", GateStage::kBeta, kOn, "0.19"},
    {Gate::kMultiKueueKubeConfigPathValidation, "MultiKueueKubeConfigPathValidation", GateStage::kBeta, kOn, "0.20"},
    {Gate::kMultiKueueManagerQuotaAutomation, "MultiKueueManagerQuotaAutomation", GateStage::kAlpha, kOff, "0.18"},
    {Gate::kMultiKueueOrchestratedPreemption, "MultiKueueOrchestratedPreemption", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kMultiKueueRemoteSpecSync, "MultiKueueRemoteSpecSync", GateStage::kBeta, kOn, "0.20"},
    {Gate::kPartialAdmission, "PartialAdmission", GateStage::kBeta, kOn, "0.5"},
    {Gate::kPodIntegrationValidateGroupOwner, "PodIntegrationValidateGroupOwner", GateStage::kBeta, kOn, "0.18"},
    {Gate::kPrioritizePreemptorWorkloads, "PrioritizePreemptorWorkloads", GateStage::kAlpha, kOff, "0.20"},
    {Gate::kPriorityBoost, "PriorityBoost", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kPrioritySortingWithinCohort, "PrioritySortingWithinCohort", GateStage::kBeta, kOn, "0.6"},
    {Gate::kQuotaCheck, "QuotaCheck", GateStage::kAlpha, kOff, "Berth 0.1"},
    {Gate::kQuotaCheckStrategy, "QuotaCheckStrategy", GateStage::kBeta, kOn, "0.19"},
    {Gate::kReclaimablePods, "ReclaimablePods", GateStage::kBeta, kOn, "0.15"},
    {Gate::kRecomputeAssignmentUponPreemptionTargetsOverlap, "RecomputeAssignmentUponPreemptionTargetsOverlap", GateStage::kBeta, kOn, "0.20"},
    {Gate::kRejectUpdatesToCQWithInvalidOnFlavors, "RejectUpdatesToCQWithInvalidOnFlavors", GateStage::kAlpha, kOff, "0.18"},
    {Gate::kRemoveFinalizersWithStrictPatch, "RemoveFinalizersWithStrictPatch", GateStage::kBeta, kOn, "0.17"},
    {Gate::kSchedulerLibraryIntegration, "SchedulerLibraryIntegration", GateStage::kAlpha, kOff, "0.19"},
    {Gate::kSchedulingEquivalenceHashing, "SchedulingEquivalenceHashing", GateStage::kBeta, kOn, "0.18"},
    {Gate::kShortWorkloadNames, "ShortWorkloadNames", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kSkipAncestorCheckForDeletedWorkloads, "SkipAncestorCheckForDeletedWorkloads", GateStage::kBeta, kOn, "0.20"},
    {Gate::kSkipReassignmentForPodOwnedWorkloads, "SkipReassignmentForPodOwnedWorkloads", GateStage::kBeta, kOn, "0.19"},
    {Gate::kSparkApplicationIntegration, "SparkApplicationIntegration", GateStage::kAlpha, kOff, "0.17"},
    {Gate::kTASAssignmentsEncodingByHostnamePrefix, "TASAssignmentsEncodingByHostnamePrefix", GateStage::kBeta, kOn, "0.19"},
    {Gate::kTASBalancedPlacement, "TASBalancedPlacement", GateStage::kAlpha, kOff, "0.15", kNeedsTopology},
    {Gate::kTASCacheNodeMatchResults, "TASCacheNodeMatchResults", GateStage::kBeta, kOn, "0.19"},
    {Gate::kTASCacheTopologyTree, "TASCacheTopologyTree", GateStage::kBeta, kOn, "0.20"},
    {Gate::kTASCachingRemainingResources, "TASCachingRemainingResources", GateStage::kBeta, kOn, "0.19"},
    {Gate::kTASFailedNodeReplacement, "TASFailedNodeReplacement", GateStage::kBeta, kOn, "0.14", kNeedsTopology},
    {Gate::kTASFailedNodeReplacementFailFast, "TASFailedNodeReplacementFailFast", GateStage::kBeta, kOn, "0.14", kNeedsNodeReplacement},
    {Gate::kTASHandleOverlappingFlavors, "TASHandleOverlappingFlavors", GateStage::kBeta, kOn, "0.18", kNeedsTopology},
    {Gate::kTASMultiLayerTopology, "TASMultiLayerTopology", GateStage::kBeta, kOn, "0.19", kNeedsTopology},
    {Gate::kTASProfileMixed, "TASProfileMixed", GateStage::kBeta, kOn, "0.15", kNeedsTopology},
    {Gate::kTASRecomputeAssignmentWithinSchedulingCycle, "TASRecomputeAssignmentWithinSchedulingCycle", GateStage::kBeta, kOn, "0.19", kNeedsTopology},
    {Gate::kTASReplaceNodeDueToNotReadyOverFixedTime, "TASReplaceNodeDueToNotReadyOverFixedTime", GateStage::kDeprecated, kOff, "0.19", kNeedsNodeReplacement},
    {Gate::kTASReplaceNodeOnNodeTaints, "TASReplaceNodeOnNodeTaints", GateStage::kBeta, kOn, "0.17", kNeedsTopology},
    {Gate::kTASReplaceNodeOnPodTermination, "TASReplaceNodeOnPodTermination", GateStage::kBeta, kOn, "0.14", kNeedsNodeReplacement},
    {Gate::kTASRespectNodeAffinityPreferred, "TASRespectNodeAffinityPreferred", GateStage::kAlpha, kOff, "0.18", kNeedsTopology},
    {Gate::kTASValidateWorkloadSliceSize, "TASValidateWorkloadSliceSize", GateStage::kBeta, kOn, "0.20"},
    {Gate::kTLSOptions, "TLSOptions", GateStage::kGa, kOn, "0.20", {}, true},
    {Gate::kTopologyAwareScheduling, "TopologyAwareScheduling", GateStage::kBeta, kOn, "0.14"},
    {Gate::kUnadmittedWorkloadsExplicitStatus, "UnadmittedWorkloadsExplicitStatus", GateStage::kBeta, kOff, "0.19", kNeedsObservability},
    {Gate::kUnadmittedWorkloadsObservability, "UnadmittedWorkloadsObservability", GateStage::kBeta, kOn, "0.19"},
    {Gate::kValidateRayAndSparkJobUpdates, "ValidateRayAndSparkJobUpdates", GateStage::kBeta, kOn, "0.18"},
    {Gate::kVectorizedResourceRequests, "VectorizedResourceRequests", GateStage::kBeta, kOn, "0.19"},
    {Gate::kVisibilityOnDemand, "VisibilityOnDemand", GateStage::kBeta, kOn, "0.9"},
    {Gate::kWorkloadAdmissionConstraints, "WorkloadAdmissionConstraints", GateStage::kAlpha, kOff, "Berth 0.1"},
    {Gate::kWorkloadIdentifierAnnotations, "WorkloadIdentifierAnnotations", GateStage::kBeta, kOn, "0.18"},
    {Gate::kWorkloadPriorityClassDefaulting, "WorkloadPriorityClassDefaulting", GateStage::kBeta, kOn, "0.20"},
    {Gate::kWorkloadRequestUseMergePatch, "WorkloadRequestUseMergePatch", GateStage::kAlpha, kOff, "0.14"},
    {Gate::kWorkloadValidateResourcesAreNonNegative, "WorkloadValidateResourcesAreNonNegative", GateStage::kBeta, kOn, "0.20"},
    {Gate::kWorkloadValidationForPodSetMetadata, "WorkloadValidationForPodSetMetadata", GateStage::kBeta, kOn, "0.20"},
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

// Settings for all gates of a stage.
constexpr std::string_view kAllAlpha = "AllAlpha";
constexpr std::string_view kAllBeta = "AllBeta";
constexpr std::string_view kField = "featureGates";

schema::Problem Wrong(std::string_view gate, std::string message, std::string hint) {
  return {.type = schema::ProblemType::kInvalid,
          .field = std::string(kField) + '[' + std::string(gate) + ']',
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {}};
}

schema::Problem Unknown(std::string_view name) {
  std::array<std::string_view, kGateCount> names;
  std::ranges::transform(kGates, names.begin(), &GateInfo::name);
  std::string hint = base::DidYouMean(name, names);
  if (hint.empty()) hint = "remove it; the reference lists all gates";
  return Wrong(name, "no feature gate is called " + Quoted(name), std::move(hint));
}

void SetStage(FeatureGates& gates, GateStage stage, const bool* on) {
  if (on == nullptr) return;
  for (const GateInfo& info : kGates) {
    if (info.stage == stage) gates.Set(info.gate, *on);
  }
}

void SetOne(FeatureGates& gates, std::string_view name, bool on, schema::Problems& problems) {
  if (name == kAllAlpha || name == kAllBeta) return;
  const GateInfo* info = FindGate(name);
  if (info == nullptr) {
    problems.push_back(Unknown(name));
  } else if (info->is_locked && on != info->is_on) {
    problems.push_back(Wrong(name, std::string(name) + " is always " + (info->is_on ? "on" : "off"),
                             "remove the setting"));
  } else {
    gates.Set(info->gate, on);
  }
}

FeatureGates SetAll(const base::FlatMap<bool>& settings, schema::Problems& problems) {
  FeatureGates gates;
  SetStage(gates, GateStage::kAlpha, settings.Find(kAllAlpha));
  SetStage(gates, GateStage::kBeta, settings.Find(kAllBeta));
  for (const auto& [name, on] : settings) SetOne(gates, name, on, problems);
  return gates;
}

void CheckNeeds(const FeatureGates& gates, schema::Problems& problems) {
  for (const GateInfo& info : kGates) {
    if (!gates.IsOn(info.gate)) continue;
    for (Gate needed : info.needs) {
      if (gates.IsOn(needed)) continue;
      const std::string other(InfoOf(needed).name);
      problems.push_back(Wrong(info.name,
                               std::string(info.name) + " needs " + other + ", which is off",
                               "set " + other + "=true or " + std::string(info.name) + "=false"));
    }
  }
}

void ReadSetting(std::string_view item, base::FlatMap<bool>& settings, schema::Problems& problems) {
  const size_t equals = item.find('=');
  const std::string_view name = base::Trimmed(item.substr(0, equals));
  const std::string_view value =
      equals == item.npos ? std::string_view() : base::Trimmed(item.substr(equals + 1));
  if (const auto on = base::ParseBool(value)) {
    settings.Set(name, *on);
  } else {
    problems.push_back(
        Wrong(name, Quoted(item) + " sets no gate",
              "write " + std::string(name) + "=true or " + std::string(name) + "=false"));
  }
}

}  // namespace

std::string_view ToString(GateStage stage) {
  switch (stage) {
    case GateStage::kAlpha:
      return "Alpha";
    case GateStage::kBeta:
      return "Beta";
    case GateStage::kGa:
      return "GA";
    case GateStage::kDeprecated:
      return "Deprecated";
  }
  return "";
}

std::span<const GateInfo> AllGates() { return kGates; }

const GateInfo& InfoOf(Gate gate) {
  CHECK(static_cast<size_t>(gate) < kGateCount);
  return kGates[static_cast<size_t>(gate)];
}

const GateInfo* FindGate(std::string_view name) {
  const auto* it = std::ranges::lower_bound(kGates, name, {}, &GateInfo::name);
  return it != std::end(kGates) && it->name == name ? it : nullptr;
}

FeatureGates::FeatureGates() {
  for (const GateInfo& info : kGates) Set(info.gate, info.is_on);
}

FeatureGates KnownFeatureGates(const base::FlatMap<bool>& settings) {
  schema::Problems ignored;
  return SetAll(settings, ignored);
}

FeatureGatesResult ReadFeatureGates(const base::FlatMap<bool>& settings) {
  schema::Problems problems;
  const FeatureGates gates = SetAll(settings, problems);
  CheckNeeds(gates, problems);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return gates;
}

FeatureGatesResult ParseFeatureGates(std::string_view text) {
  base::FlatMap<bool> settings;
  schema::Problems problems;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = base::Trimmed(text.substr(0, comma));
    if (!item.empty()) ReadSetting(item, settings, problems);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return ReadFeatureGates(settings);
}

FeatureGatesResult ChooseFeatureGates(std::string_view text, const base::FlatMap<bool>& settings) {
  if (text.empty()) return ReadFeatureGates(settings);
  if (settings.empty()) {
    FeatureGatesResult gates = ParseFeatureGates(text);
    if (!gates)
      for (schema::Problem& problem : gates.error()) problem.place.file = "--feature-gates";
    return gates;
  }
  return std::unexpected(
      schema::Problems{{.type = schema::ProblemType::kInvalid,
                        .field = std::string(kField),
                        .message = "gates are set both here and by --feature-gates",
                        .hint = "keep one of the two",
                        .place = {}}});
}

}  // namespace berth::api
