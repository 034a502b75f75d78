#pragma once

#include <vector>

#include "api/kueue/workload.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_set_info.h"
#include "jobs/pods/pod_sets.h"
#include "jobs/workload_for.h"
#include "json/path.h"

namespace berth::jobs {

// Whether a Workload still matches the job: the job is its controller (by name and UID), and
// maximum execution time and pod sets are equal: counts, containers and, until admission,
// tolerations. A Workload with a quota reservation is compared with the pods of the running job or,
// if the job is suspended, of the stopped one.
//
// Without a quota reservation, node selectors and affinities are compared too. Kueue ignores such
// changes: it starts the job with placement unknown to its Workload and drops it on the next stop.
// They are ignored for prebuilt Workloads (`is_prebuilt`), whose creator may not know them.
struct EquivalenceInput {
  const Integration* integration = nullptr;
  const json::value* job = nullptr;
  const api::Workload* workload = nullptr;
  FindFlavor find_flavor;
  bool is_prebuilt = false;
  // Of the job, if already decoded.
  const api::ObjectMeta* metadata = nullptr;
  const std::vector<JobPodSet>* pod_sets = nullptr;
};
base::Result<bool> IsEquivalent(const EquivalenceInput& input, const WorkloadOptions& options,
                                const StartOptions& start);

// Fields compared for equality.
struct PodSetComparison {
  bool with_tolerations = true;
  bool with_placement = false;  // node selector and affinity
};
bool SamePodSets(const std::vector<api::PodSet>& a, const std::vector<api::PodSet>& b,
                 const PodSetComparison& comparison);

}  // namespace berth::jobs
