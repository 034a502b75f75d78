#include "api/admission_constraint_rules.h"

#include <string_view>

#include "api/conditions.h"
#include "api/well_known.h"

namespace berth::api {
namespace {

using Annotations = base::FlatMap<std::string>;

constexpr std::string_view kTrue = "true";
constexpr std::string_view kFalse = "false";

struct Constraint {
  std::string_view annotation;
  std::string_view field;
  std::optional<std::string> AdmissionConstraints::* member;
};

constexpr Constraint kConstraints[] = {
    {kCannotPreemptAnnotation, "preemption", &AdmissionConstraints::preemption},
    {kCannotBorrowAnnotation, "borrowing", &AdmissionConstraints::borrowing},
};

bool IsAsked(const Annotations& annotations, const Constraint& constraint) {
  const std::string* value = annotations.Find(constraint.annotation);
  return value != nullptr && *value == kTrue;
}

bool IsReserved(const Workload& workload) {
  return IsConditionTrue(workload.status.conditions, condition::kQuotaReserved);
}

void ValidateAgreement(const Workload& workload, const Constraint& constraint,
                       ProblemReport& report) {
  const std::string* value = workload.metadata.annotations.Find(constraint.annotation);
  const auto& constraints = workload.spec.admission_constraints;
  if (value == nullptr || *value != kFalse) return;
  if (!constraints || (*constraints).*constraint.member != kConstraintNever) return;
  const auto in_spec = report.In("spec");
  const auto in = report.In("admissionConstraints");
  report.Invalid(
      constraint.field,
      "is Never, but the annotation " + std::string(constraint.annotation) + " is \"false\"",
      "remove one of the two");
}

void ValidateUnchanged(const Annotations& annotations, const Annotations& old,
                       const Constraint& constraint, ProblemReport& report) {
  if (IsAsked(annotations, constraint) == IsAsked(old, constraint)) return;
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  const auto at = report.AtKey(constraint.annotation);
  report.Invalid("", "cannot be changed while quota is reserved",
                 "deactivate the workload first, or leave it as it was");
}

}  // namespace

std::optional<AdmissionConstraints> ConstraintsOf(const Annotations& annotations) {
  std::optional<AdmissionConstraints> constraints;
  for (const Constraint& constraint : kConstraints) {
    if (!IsAsked(annotations, constraint)) continue;
    if (!constraints) constraints.emplace();
    (*constraints).*constraint.member = std::string(kConstraintNever);
  }
  return constraints;
}

void ValidateConstraintAnnotations(const Annotations& annotations, ProblemReport& report) {
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  for (const Constraint& constraint : kConstraints) {
    const std::string* value = annotations.Find(constraint.annotation);
    if (value == nullptr || *value == kTrue || *value == kFalse) continue;
    const auto at = report.AtKey(constraint.annotation);
    report.NotSupported("", Quoted(*value) + " is neither yes nor no",
                        "write \"true\" or \"false\"");
  }
}

void ValidateConstraints(const Workload& workload, const Workload* old, ProblemReport& report) {
  ValidateConstraintAnnotations(workload.metadata.annotations, report);
  const bool is_fixed = old != nullptr && IsReserved(*old) && IsReserved(workload);
  for (const Constraint& constraint : kConstraints) {
    ValidateAgreement(workload, constraint, report);
    if (!is_fixed) continue;
    ValidateUnchanged(workload.metadata.annotations, old->metadata.annotations, constraint, report);
  }
}

}  // namespace berth::api
