#pragma once

#include <vector>

#include "api/workload.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_set_info.h"
#include "jobs/pod_sets.h"
#include "jobs/workload_for.h"

namespace berth::jobs {

// Whether a Workload is still that of the job. It is if the job is its controller, by name and UID,
// the time limit is the same, and the pod sets are: counts, containers and, until it is admitted,
// tolerations. A Workload with quota is compared as the pods would be if the job ran, or, of a
// suspended job, as they were.
//
// While a Workload has no quota, node selectors and affinities count as well: Kueue does not see
// them change, starts the job with what its Workload did not say, and forgets it on the next stop.
// `is_prebuilt` leaves them out, since whoever made that Workload may not have known them.
struct EquivalenceInput {
  const Integration* integration = nullptr;
  const json::value* job = nullptr;
  const api::Workload* workload = nullptr;
  FindFlavor find_flavor;
  bool is_prebuilt = false;
  // Of the job, where they have been read already.
  const api::ObjectMeta* metadata = nullptr;
  const std::vector<JobPodSet>* pod_sets = nullptr;
};
base::Result<bool> IsEquivalent(const EquivalenceInput& input, const WorkloadOptions& options,
                                const StartOptions& start);

// Equal in what a queue looks at.
struct PodSetComparison {
  bool with_tolerations = true;
  bool with_placement = false;  // node selector and affinity
};
bool SamePodSets(const std::vector<api::PodSet>& a, const std::vector<api::PodSet>& b,
                 const PodSetComparison& comparison);

}  // namespace berth::jobs
