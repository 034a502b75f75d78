#pragma once

#include "api/validation_options.h"
#include "api/workload.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a Workload that its CRD cannot say. `old` is what is stored now, null when
// it is created; with it, what may no longer change is checked as well:
//   - pod sets while quota is reserved, except that a count may shrink (elastic jobs);
//   - the admission, except for topology assignments, as long as there is one;
//   - reclaimable pods, which may only grow while quota is reserved;
//   - pod set updates of a check that is and stays Ready;
//   - the cluster, which must be one of those that were nominated;
//   - admission gates, which may only be removed.
schema::Problems ValidateWorkload(const Workload& workload, const Workload* old,
                                  const ValidationOptions& options);

// What is allowed and without effect.
schema::Problems WarningsForWorkload(const Workload& workload, const ValidationOptions& options);

}  // namespace berth::api
