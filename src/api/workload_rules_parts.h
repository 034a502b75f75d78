#pragma once

#include "api/conditions.h"
#include "api/problem_report.h"
#include "api/validation_options.h"
#include "api/well_known.h"
#include "api/workload.h"

// The parts of workload_rules.h, a file each.
namespace berth::api {

void ValidatePodSets(const Workload& workload, const ValidationOptions& options,
                     ProblemReport& report);
// What may change from one state to the next.
void ValidateWorkloadChange(const Workload& workload, const Workload& old,
                            const ValidationOptions& options, ProblemReport& report);

inline bool HasQuotaReservation(const Workload& workload) {
  return IsConditionTrue(workload.status.conditions, condition::kQuotaReserved);
}

// Whether the job may change its size while it runs.
inline bool IsElastic(const Workload& workload, const ValidationOptions& options) {
  if (!options.gates.IsOn(Gate::kElasticJobsViaWorkloadSlices)) return false;
  const std::string* value = workload.metadata.annotations.Find(kElasticJobAnnotation);
  return value != nullptr && *value == "true";
}

// Null if there is none of the name; the last if there are several.
inline const PodSet* FindPodSet(const Workload& workload, std::string_view name) {
  const PodSet* found = nullptr;
  for (const PodSet& pod_set : workload.spec.pod_sets) {
    if (pod_set.name == name) found = &pod_set;
  }
  return found;
}

}  // namespace berth::api
