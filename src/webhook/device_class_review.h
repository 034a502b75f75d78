#pragma once

#include "api/object.h"
#include "schema/problem.h"
#include "webhook/reviewer.h"

namespace berth::webhook {

// KEP-2941 rule 2 where the other objects can be seen: a ClusterQueue or Cohort may not be written
// so that a resource counts other device classes than it does elsewhere in the cohort tree. Only
// what the write itself brings about is refused: a tree that was at odds before can be mended one
// object at a time. `old` is null when the object is created.
schema::Problems ReviewDeviceClasses(const api::Object& object, const api::Object* old,
                                     const Lookup& lookup);

}  // namespace berth::webhook
