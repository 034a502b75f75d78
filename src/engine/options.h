#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "engine/ids.h"

namespace berth::engine {

enum class FairStrategy : uint8_t { kLessThanOrEqualToFinalShare, kLessThanInitialShare };

// A weight of a resource in the usage of a LocalQueue. By name: options are there before ids.
struct ResourceWeight {
  std::string resource;
  double weight = 1;
};

// Usage that LocalQueues are ordered by, in ClusterQueues that ask for it.
struct AdmissionFairSharing {
  base::Duration half_life;
  base::Duration sampling_interval;
  std::vector<ResourceWeight> resource_weights;
};

// Everything that a decision depends on besides the objects, as one value that is built once from
// the Configuration and its feature gates. The defaults are Kueue's.
struct EngineOptions {
  // Configuration.fairSharing is present.
  bool fair_sharing = false;
  std::vector<FairStrategy> fair_strategies = {FairStrategy::kLessThanOrEqualToFinalShare,
                                               FairStrategy::kLessThanInitialShare};
  // Configuration.admissionFairSharing is present and its gate is on.
  bool admission_fair_sharing = false;
  AdmissionFairSharing afs;

  // Feature gates, each under its own name.
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

  // Configuration.resources.quotaCheck is OnlyDeclared: requests that the ClusterQueue does not
  // declare are not looked at.
  bool only_declared = false;
};

}  // namespace berth::engine
