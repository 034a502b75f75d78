#include <algorithm>

#include "api/config/configuration_rules.h"
#include "api/kueue/rules/admission_constraint_rules.h"
#include "api/kueue/rules/admission_gate_rules.h"
#include "api/kueue/rules/cluster_queue_rules.h"
#include "api/kueue/rules/cohort_rules.h"
#include "api/kueue/rules/resource_flavor_rules.h"
#include "api/kueue/rules/workload_rules.h"
#include "api/meta/validation_options.h"
#include "lint/checks.h"
#include "schema/validate.h"

namespace berth::lint {
namespace {

using schema::Problem;
using schema::Problems;
using schema::ProblemType;

std::string_view RuleOf(ProblemType type) {
  switch (type) {
    case ProblemType::kInvalid:
      return "invalid";
    case ProblemType::kRequired:
      return "required";
    case ProblemType::kDuplicate:
      return "duplicate";
    case ProblemType::kNotSupported:
      return "not-supported";
    case ProblemType::kForbidden:
      return "forbidden";
    case ProblemType::kTooLong:
      return "too-long";
    case ProblemType::kTooMany:
      return "too-many";
    case ProblemType::kNotFound:
      return "not-found";
    case ProblemType::kTypeInvalid:
      return "wrong-type";
    case ProblemType::kUnknownField:
      return "unknown-field";
    case ProblemType::kSyntax:
      return "syntax";
  }
  return "";
}

// Semantic errors of an object, and settings without effect.
struct Verdict {
  Problems problems;
  Problems warnings;
};

Verdict ValidateObject(const api::Object& object, const api::ValidationOptions& options) {
  if (const auto* queue = object.As<api::ClusterQueue>())
    return {ValidateClusterQueue(*queue, nullptr, options),
            WarningsForClusterQueue(*queue, options)};
  if (const auto* cohort = object.As<api::Cohort>())
    return {ValidateCohort(*cohort), WarningsForCohort(*cohort, options)};
  if (const auto* flavor = object.As<api::ResourceFlavor>())
    return {ValidateResourceFlavor(*flavor), {}};
  if (const auto* workload = object.As<api::Workload>())
    return {ValidateWorkload(*workload, nullptr, options), WarningsForWorkload(*workload, options)};
  if (const auto* configuration = object.As<api::Configuration>())
    return {ValidateConfiguration(*configuration, options.gates),
            WarningsForConfiguration(*configuration, options.gates)};
  return {};
}

// Validates annotations of jobs of any kind.
Problems ValidateAnnotations(const Entry& entry) {
  const api::Annotations& annotations = entry.metadata().annotations;
  api::ProblemReport problems;
  ValidateConstraintAnnotations(annotations, problems);
  ValidateAdmissionGates(annotations, problems);
  return std::move(problems).Take();
}

class ObjectChecker {
 public:
  ObjectChecker(const Catalog& catalog, Report& report)
      : report_(report),
        options_(api::ValidationOptions::From(catalog.configuration(), catalog.gates())) {}

  void Check(const Entry& entry) {
    const Problems& read = entry.manifest->problems;
    for (const Problem& p : read) report_.Add(entry, Severity::kError, RuleOf(p.type), p);
    Verdict verdict;
    if (entry.object) {
      const void* value = entry.object->value();
      Add(entry, schema::Validate(entry.object->kind().structure(), value));
      verdict = ValidateObject(*entry.object, options_);
    }
    // The rules of Workloads cover their annotations.
    const bool is_workload = entry.object && entry.object->As<api::Workload>() != nullptr;
    if (!is_workload) Add(entry, ValidateAnnotations(entry));
    Add(entry, verdict.problems);
    for (const Problem& p : verdict.warnings)
      report_.Add(entry, Severity::kWarning, "no-effect", p);
  }

 private:
  // Adds problems, except those of fields with decoding errors.
  void Add(const Entry& entry, const Problems& problems) {
    const Problems& read = entry.manifest->problems;
    for (const Problem& p : problems) {
      const bool is_known =
          std::ranges::any_of(read, [&](const Problem& r) { return r.field == p.field; });
      if (!is_known) report_.Add(entry, Severity::kError, RuleOf(p.type), p);
    }
  }

  Report& report_;
  api::ValidationOptions options_;
};

}  // namespace

void CheckObjects(const Catalog& catalog, Report& report) {
  ObjectChecker checker(catalog, report);
  for (const Entry& entry : catalog.entries()) checker.Check(entry);
}

}  // namespace berth::lint
