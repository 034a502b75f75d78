#pragma once

#include <string>

#include "api/meta/meta.h"
#include "api/meta/problem_report.h"

// Warnings about admission constraints (admission_constraint_rules.h) that have no effect. Fields
// are relative to the current scope of the report, the metadata of an object.
namespace berth::api {

// Keys that are nearly those of constraints: misspelt annotations, and labels in place of
// annotations.
void WarnAboutConstraintKeys(const ObjectMeta& metadata, ProblemReport& report);

// Annotations that ask for a constraint where they have no effect.
void WarnAboutUnusedConstraints(const ObjectMeta& metadata, const std::string& why,
                                const std::string& hint, ProblemReport& report);

}  // namespace berth::api
