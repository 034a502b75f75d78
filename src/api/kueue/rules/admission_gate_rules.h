#pragma once

#include <string>

#include "api/meta/problem_report.h"
#include "base/flat_map.h"

// The annotation kueue.x-k8s.io/admission-gated-by: a comma-separated list of controllers that
// block admission of a job or Workload until they remove their entries. Gates can be added on
// creation only.
namespace berth::api {

using Annotations = base::FlatMap<std::string>;

// Rejects empty, duplicate and overlong names and names other than "example.com/name".
void ValidateAdmissionGates(const Annotations& annotations, ProblemReport& report);

// As above; also rejects added gates.
void ValidateAdmissionGatesUpdate(const Annotations& annotations, const Annotations& old,
                                  ProblemReport& report);

}  // namespace berth::api
