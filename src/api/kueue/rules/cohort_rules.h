#pragma once

#include "api/kueue/cohort.h"
#include "api/meta/validation_options.h"
#include "schema/problem.h"

namespace berth::api {

// Validates the rules of a Cohort that the CRD does not express. Unlike a ClusterQueue, a Cohort
// may lend more than its own quota: the unused quota of its members.
schema::Problems ValidateCohort(const Cohort& cohort);

// Warns of settings without effect: device classes while their gate is off.
schema::Problems WarningsForCohort(const Cohort& cohort, const ValidationOptions& options);

}  // namespace berth::api
