#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/problem_report.h"
#include "api/workload.h"
#include "base/flat_map.h"

// The annotations kueue.x-k8s.io/cannot-preempt and kueue.x-k8s.io/cannot-borrow of jobs and
// Workloads, and the Workload's field spec.admissionConstraints that they become.
namespace berth::api {

// What the annotations ask for, as the field says it. Nullopt if they ask for nothing.
std::optional<AdmissionConstraints> ConstraintsOf(const base::FlatMap<std::string>& annotations);

// What the field and the annotations of a Workload ask for together. Nullopt if that is nothing.
std::optional<AdmissionConstraints> ConstraintsOf(const Workload& workload);

// Makes the Workload of a job ask for what the job's annotations ask for: the annotations are
// copied as they are, those that the job does not have are removed, and the field follows. The same
// does for the copy of a Workload in another cluster.
void CopyConstraints(const base::FlatMap<std::string>& job_annotations, Workload& workload);

// A pod of a group.
struct ConstrainedPod {
  std::string_view name;
  const base::FlatMap<std::string>* annotations = nullptr;
};

// All pods of a group must ask for the same: "false" and absent are the same. What is wrong names
// the first pod that differs from the first one, for each annotation.
void ValidateGroupConstraints(std::span<const ConstrainedPod> pods, ProblemReport& report);

// Values other than "true" and "false". For jobs and Workloads alike.
void ValidateConstraintAnnotations(const base::FlatMap<std::string>& annotations,
                                   ProblemReport& report);

// That the annotations and the field agree where both are given, and that the annotations do not
// change while quota is reserved; the field's own rule is in the CRD. `old` may be null.
void ValidateConstraints(const Workload& workload, const Workload* old, ProblemReport& report);

}  // namespace berth::api
