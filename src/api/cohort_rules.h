#pragma once

#include "api/cohort.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a Cohort that its CRD cannot say. Unlike a ClusterQueue, a Cohort may lend
// more than its own quota: what its members do not use.
schema::Problems ValidateCohort(const Cohort& cohort);

}  // namespace berth::api
