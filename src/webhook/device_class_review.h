#pragma once

#include "api/meta/object.h"
#include "schema/problem.h"
#include "webhook/admission_reviewer.h"

namespace berth::webhook {

// KEP-2941 rule 2 across objects: a write of a ClusterQueue or Cohort is rejected if a resource
// would count other device classes than elsewhere in the cohort tree. Only conflicts that the write
// introduces are rejected, so that an inconsistent tree can be repaired one object at a time. `old`
// is null on create.
schema::Problems ReviewDeviceClasses(const api::Object& object, const api::Object* old,
                                     const Lookup& lookup);

}  // namespace berth::webhook
