#pragma once

#include "api/kueue/workload.h"
#include "api/meta/validation_options.h"
#include "schema/problem.h"

namespace berth::api {

// Validates the rules of a Workload that the CRD does not express. `old` is the stored object, null
// on create. On update, these are immutable:
//   - pod sets while quota is reserved, except that a count may shrink (elastic jobs);
//   - the admission while there is one, except for topology assignments;
//   - reclaimable pods while quota is reserved, except that counts may grow;
//   - pod set updates of a check that stays Ready;
//   - the cluster, except that a nominated one may be set;
//   - admission gates, except that they may be removed.
schema::Problems ValidateWorkload(const Workload& workload, const Workload* old,
                                  const ValidationOptions& options);

// Whether the pods of the set share a ResourceClaim.
bool SharesClaim(const PodSet& pod_set);
// Whether every usage is a multiple of the assignment's count, as the API requires of pods without
// a shared claim. True if the count is absent.
bool IsUsageDivisible(const PodSetAssignment& assignment);

// Warns of settings without effect.
schema::Problems WarningsForWorkload(const Workload& workload, const ValidationOptions& options);

}  // namespace berth::api
