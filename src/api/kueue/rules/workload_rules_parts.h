#pragma once

#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/conditions.h"
#include "api/meta/problem_report.h"
#include "api/meta/validation_options.h"

// The parts of workload_rules.h, one file each.
namespace berth::api {

void ValidatePodSets(const Workload& workload, const Workload* old,
                     const ValidationOptions& options, ProblemReport& report);
// Validates an update.
void ValidateWorkloadChange(const Workload& workload, const Workload& old,
                            const ValidationOptions& options, ProblemReport& report);

inline bool HasQuotaReservation(const Workload& workload) {
  return IsConditionTrue(workload.status.conditions, condition::kQuotaReserved);
}

// Whether the job may be resized while it runs.
inline bool IsElastic(const Workload& workload, const ValidationOptions& options) {
  if (!options.gates.IsOn(Gate::kElasticJobsViaWorkloadSlices)) return false;
  const std::string* value = workload.metadata.annotations.Find(kElasticJobAnnotation);
  return value != nullptr && *value == "true";
}

// The pod set of this name, the last if there are several; null if there is none.
inline const PodSet* FindPodSet(const Workload& workload, std::string_view name) {
  const PodSet* found = nullptr;
  for (const PodSet& pod_set : workload.spec.pod_sets) {
    if (pod_set.name == name) found = &pod_set;
  }
  return found;
}

}  // namespace berth::api
