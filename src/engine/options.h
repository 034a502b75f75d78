#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"

namespace berth::engine {

enum class FairStrategy : uint8_t { kLessThanOrEqualToFinalShare, kLessThanInitialShare };

// The weight of a resource in the usage of a LocalQueue. By name, since options precede ids.
struct ResourceWeight {
  std::string resource;
  double weight = 1;
};

// Usage-based ordering of LocalQueues, for ClusterQueues that enable it.
struct AdmissionFairSharing {
  base::Duration half_life;
  base::Duration sampling_interval;
  std::vector<ResourceWeight> resource_weights;
};

// All inputs of decisions other than objects, as one value built once from the Configuration and
// its feature gates. The defaults are Kueue's.
struct EngineOptions {
  // Configuration.fairSharing is present.
  bool fair_sharing = false;
  std::vector<FairStrategy> fair_strategies = {FairStrategy::kLessThanOrEqualToFinalShare,
                                               FairStrategy::kLessThanInitialShare};
  // Configuration.admissionFairSharing is present and its gate is on.
  bool admission_fair_sharing = false;
  AdmissionFairSharing afs;

  // Feature gates by name.
  bool partial_admission = true;
  bool flavor_fungibility = true;
  bool flavor_fungibility_preserve_scan_progress = true;
  bool priority_sorting_within_cohort = true;
  bool scheduling_equivalence_hashing = true;
  bool recompute_assignment_upon_preemption_targets_overlap = true;
  bool prioritize_preemptor_workloads = false;
  bool fair_sharing_preempt_within_nominal = true;
  bool fair_sharing_prioritize_non_borrowing = true;
  bool elastic_jobs_via_workload_slices = true;
  bool multikueue_orchestrated_preemption = false;

  // Topology-aware scheduling. Without it flavors with a topology have quota alone.
  bool topology = false;
  bool tas_profile_mixed = true;
  bool tas_balanced_placement = false;
  bool tas_respect_node_affinity_preferred = false;
  bool tas_handle_overlapping_flavors = true;
  bool tas_recompute_assignment_within_cycle = true;
  bool tas_failed_node_replacement_fail_fast = true;
  bool elastic_jobs_with_topology = false;
  bool skip_reassignment_for_pod_owned_workloads = true;
  bool tas_preempt_fewest_in_domain = false;

  // Configuration.resources.quotaCheck is OnlyDeclared: requests for undeclared resources are
  // ignored.
  bool only_declared = false;
};

}  // namespace berth::engine
