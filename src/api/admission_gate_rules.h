#pragma once

#include <string>

#include "api/problem_report.h"
#include "base/flat_map.h"

// The annotation kueue.x-k8s.io/admission-gated-by: names of controllers, separated by commas, that
// hold a job or Workload back until they remove themselves. Gates are closed at creation only.
namespace berth::api {

using Annotations = base::FlatMap<std::string>;

// Names that are empty, occur twice, are too long or are no "example.com/name".
void ValidateAdmissionGates(const Annotations& annotations, ProblemReport& report);

// The same, and gates that were not there before.
void ValidateAdmissionGatesUpdate(const Annotations& annotations, const Annotations& old,
                                  ProblemReport& report);

}  // namespace berth::api
