#include "api/kueue/rules/admission_constraint_rules.h"

#include <algorithm>

#include "api/kueue/rules/admission_gate_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"

namespace berth::api {
namespace {

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

bool IsConstrained(const Annotations& annotations, const Constraint& constraint) {
  const std::string* value = annotations.Find(constraint.annotation);
  return value != nullptr && *value == kTrue;
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
  if (IsConstrained(annotations, constraint) == IsConstrained(old, constraint)) return;
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  const auto at = report.AtKey(constraint.annotation);
  report.Invalid("", "cannot be changed while quota is reserved",
                 "deactivate the workload first, or restore the old value");
}

}  // namespace

std::optional<AdmissionConstraints> ConstraintsOf(const Annotations& annotations) {
  std::optional<AdmissionConstraints> constraints;
  for (const Constraint& constraint : kConstraints) {
    if (!IsConstrained(annotations, constraint)) continue;
    if (!constraints) constraints.emplace();
    (*constraints).*constraint.member = std::string(kConstraintNever);
  }
  return constraints;
}

std::optional<AdmissionConstraints> ConstraintsOf(const Workload& workload) {
  std::optional<AdmissionConstraints> asked = ConstraintsOf(workload.metadata.annotations);
  const std::optional<AdmissionConstraints>& field = workload.spec.admission_constraints;
  for (const Constraint& constraint : kConstraints) {
    if (!field || (*field).*constraint.member != kConstraintNever) continue;
    if (!asked) asked.emplace();
    (*asked).*constraint.member = std::string(kConstraintNever);
  }
  return asked;
}

void CopyConstraints(const Annotations& job_annotations, Workload& workload) {
  Annotations& annotations = workload.metadata.annotations;
  for (const Constraint& constraint : kConstraints) {
    const std::string* value = job_annotations.Find(constraint.annotation);
    if (value == nullptr) {
      annotations.Erase(constraint.annotation);
    } else {
      annotations.Set(std::string(constraint.annotation), *value);
    }
  }
  workload.spec.admission_constraints = ConstraintsOf(job_annotations);
}

void ValidateGroupConstraints(std::span<const ConstrainedPod> pods, ProblemReport& report) {
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  for (const Constraint& constraint : kConstraints) {
    const auto is_asked = [&](const ConstrainedPod& pod) {
      return IsConstrained(*pod.annotations, constraint);
    };
    const auto differs = std::ranges::find_if(
        pods, [&](const ConstrainedPod& pod) { return is_asked(pod) != is_asked(pods.front()); });
    if (differs == pods.end()) continue;
    const std::string_view with = is_asked(*differs) ? differs->name : pods.front().name;
    const std::string_view without = is_asked(*differs) ? pods.front().name : differs->name;
    const auto at = report.AtKey(constraint.annotation);
    report.Invalid(
        "",
        "is \"true\" on pod " + Quoted(with) + " of the group, but not on pod " + Quoted(without),
        "give all pods of the group the same value");
  }
}

void ValidateConstraintAnnotations(const Annotations& annotations, ProblemReport& report) {
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  for (const Constraint& constraint : kConstraints) {
    const std::string* value = annotations.Find(constraint.annotation);
    if (value == nullptr || *value == kTrue || *value == kFalse) continue;
    const auto at = report.AtKey(constraint.annotation);
    ReportConstraintValue("", *value, report);
  }
}

void ReportConstraintValue(std::string_view field, std::string_view value, ProblemReport& report) {
  report.NotSupported(field, Quoted(value) + " is not among the allowed values",
                      "write \"true\" or \"false\"");
}

void ValidateConstraints(const Workload& workload, const Workload* old, ProblemReport& report) {
  ValidateConstraintAnnotations(workload.metadata.annotations, report);
  const bool is_fixed = old != nullptr && HasQuotaReserved(*old) && HasQuotaReserved(workload);
  for (const Constraint& constraint : kConstraints) {
    ValidateAgreement(workload, constraint, report);
    if (!is_fixed) continue;
    ValidateUnchanged(workload.metadata.annotations, old->metadata.annotations, constraint, report);
  }
}

}  // namespace berth::api
