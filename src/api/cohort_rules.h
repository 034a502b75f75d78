#pragma once

#include "api/cohort.h"
#include "api/validation_options.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a Cohort that its CRD cannot say. Unlike a ClusterQueue, a Cohort may lend
// more than its own quota: what its members do not use.
schema::Problems ValidateCohort(const Cohort& cohort);

// What is allowed and has no effect: device classes, while their gate is off.
schema::Problems WarningsForCohort(const Cohort& cohort, const ValidationOptions& options);

}  // namespace berth::api
