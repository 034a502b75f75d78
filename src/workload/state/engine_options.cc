#include "workload/state/engine_options.h"

#include <algorithm>

namespace berth::workload {
namespace {

using api::Gate;

engine::FairStrategy StrategyNamed(const std::string& name) {
  return name == api::kLessThanInitialShare ? engine::FairStrategy::kLessThanInitialShare
                                            : engine::FairStrategy::kLessThanOrEqualToFinalShare;
}

std::vector<engine::FairStrategy> StrategiesFrom(const api::FairSharingSettings& settings) {
  std::vector<engine::FairStrategy> strategies(settings.preemption_strategies.size());
  std::ranges::transform(settings.preemption_strategies, strategies.begin(), StrategyNamed);
  return strategies;
}

engine::AdmissionFairSharing UsageOptionsFrom(const api::AdmissionFairSharingSettings& settings) {
  engine::AdmissionFairSharing options{.half_life = settings.usage_half_life_time,
                                       .sampling_interval = settings.usage_sampling_interval,
                                       .resource_weights = {}};
  for (const auto& [resource, weight] : settings.resource_weights)
    options.resource_weights.push_back({resource, weight});
  return options;
}

void SetGates(engine::EngineOptions& options, const api::FeatureGates& gates) {
  options.partial_admission = gates.IsOn(Gate::kPartialAdmission);
  options.flavor_fungibility = gates.IsOn(Gate::kFlavorFungibility);
  options.flavor_fungibility_preserve_scan_progress =
      gates.IsOn(Gate::kFlavorFungibilityPreserveScanProgress);
  options.priority_sorting_within_cohort = gates.IsOn(Gate::kPrioritySortingWithinCohort);
  options.scheduling_equivalence_hashing = gates.IsOn(Gate::kSchedulingEquivalenceHashing);
  options.recompute_assignment_upon_preemption_targets_overlap =
      gates.IsOn(Gate::kRecomputeAssignmentUponPreemptionTargetsOverlap);
  options.prioritize_preemptor_workloads = gates.IsOn(Gate::kPrioritizePreemptorWorkloads);
  options.fair_sharing_preempt_within_nominal = gates.IsOn(Gate::kFairSharingPreemptWithinNominal);
  options.fair_sharing_prioritize_non_borrowing =
      gates.IsOn(Gate::kFairSharingPrioritizeNonBorrowing);
  options.elastic_jobs_via_workload_slices = gates.IsOn(Gate::kElasticJobsViaWorkloadSlices);
  options.tas_profile_mixed = gates.IsOn(Gate::kTASProfileMixed);
  options.tas_balanced_placement = gates.IsOn(Gate::kTASBalancedPlacement);
  options.tas_respect_node_affinity_preferred = gates.IsOn(Gate::kTASRespectNodeAffinityPreferred);
  options.tas_handle_overlapping_flavors = gates.IsOn(Gate::kTASHandleOverlappingFlavors);
  options.tas_recompute_assignment_within_cycle =
      gates.IsOn(Gate::kTASRecomputeAssignmentWithinSchedulingCycle);
  options.tas_failed_node_replacement_fail_fast =
      gates.IsOn(Gate::kTASFailedNodeReplacementFailFast);
  options.tas_preempt_fewest_in_domain = gates.IsOn(Gate::kTASPreemptFewestInDomain);
  options.elastic_jobs_with_topology = gates.IsOn(Gate::kElasticJobsViaWorkloadSlicesWithTAS);
  options.skip_reassignment_for_pod_owned_workloads =
      gates.IsOn(Gate::kSkipReassignmentForPodOwnedWorkloads);
  options.multikueue_orchestrated_preemption = gates.IsOn(Gate::kMultiKueueOrchestratedPreemption);
}

}  // namespace

engine::EngineOptions EngineOptionsFrom(const api::Configuration& configuration,
                                        const api::FeatureGates& gates) {
  engine::EngineOptions options;
  if (configuration.fair_sharing) {
    options.fair_sharing = true;
    std::vector<engine::FairStrategy> strategies = StrategiesFrom(*configuration.fair_sharing);
    if (!strategies.empty()) options.fair_strategies = std::move(strategies);
  }
  if (configuration.admission_fair_sharing && gates.IsOn(Gate::kAdmissionFairSharing)) {
    options.admission_fair_sharing = true;
    options.afs = UsageOptionsFrom(*configuration.admission_fair_sharing);
  }
  options.only_declared = api::ChecksOnlyDeclared(configuration.resources, gates);
  SetGates(options, gates);
  return options;
}

}  // namespace berth::workload
