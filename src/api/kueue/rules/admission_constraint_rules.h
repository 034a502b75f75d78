#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/kueue/workload.h"
#include "api/meta/problem_report.h"
#include "base/flat_map.h"

// The annotations kueue.x-k8s.io/cannot-preempt and kueue.x-k8s.io/cannot-borrow of jobs and
// Workloads, and the corresponding field spec.admissionConstraints of Workloads.
namespace berth::api {

// The constraints set by annotations. Nullopt if none.
std::optional<AdmissionConstraints> ConstraintsOf(const base::FlatMap<std::string>& annotations);

// The constraints set by the field and the annotations of a Workload together. Nullopt if none.
std::optional<AdmissionConstraints> ConstraintsOf(const Workload& workload);

// Copies the constraints of a job to its Workload: the annotations, with those absent from the job
// removed, and the field.
void CopyConstraints(const base::FlatMap<std::string>& job_annotations, Workload& workload);

// A pod of a group.
struct ConstrainedPod {
  std::string_view name;
  const base::FlatMap<std::string>* annotations = nullptr;
};

// All pods of a group must have equal constraints; "false" equals absent. A problem names the first
// pod that differs from the first one, for each annotation.
void ValidateGroupConstraints(std::span<const ConstrainedPod> pods, ProblemReport& report);

// Rejects values other than "true" and "false", for jobs and Workloads.
void ValidateConstraintAnnotations(const base::FlatMap<std::string>& annotations,
                                   ProblemReport& report);

// Reports the value of a constraint annotation at `field` that is neither "true" nor "false".
void ReportConstraintValue(std::string_view field, std::string_view value, ProblemReport& report);

// The annotations must agree with the field if both are set, and must not change while quota is
// reserved. The rule of the field itself is in the CRD. `old` may be null.
void ValidateConstraints(const Workload& workload, const Workload* old, ProblemReport& report);

}  // namespace berth::api
