#pragma once

#include <optional>
#include <string>

#include "api/problem_report.h"
#include "api/workload.h"
#include "base/flat_map.h"

// The annotations kueue.x-k8s.io/cannot-preempt and kueue.x-k8s.io/cannot-borrow of jobs and
// Workloads, and the Workload's field spec.admissionConstraints that they become.
namespace berth::api {

// What the annotations ask for, as the field says it. Nullopt if they ask for nothing.
std::optional<AdmissionConstraints> ConstraintsOf(const base::FlatMap<std::string>& annotations);

// Values other than "true" and "false". For jobs and Workloads alike.
void ValidateConstraintAnnotations(const base::FlatMap<std::string>& annotations,
                                   ProblemReport& report);

// That the annotations and the field agree where both are given, and that the annotations do not
// change while quota is reserved; the field's own rule is in the CRD. `old` may be null.
void ValidateConstraints(const Workload& workload, const Workload* old, ProblemReport& report);

}  // namespace berth::api
