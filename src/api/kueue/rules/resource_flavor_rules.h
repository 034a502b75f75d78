#pragma once

#include <string_view>
#include <vector>

#include "api/core/toleration.h"
#include "api/kueue/resource_flavor.h"
#include "api/meta/problem_report.h"
#include "schema/problem.h"

namespace berth::api {

// Validates the rules of a ResourceFlavor that the CRD does not express: syntax of labels, taints
// and tolerations, and duplicate taints.
schema::Problems ValidateResourceFlavor(const ResourceFlavor& flavor);

// Validates the keys of tolerations; the CRD checks the other fields.
void ValidateTolerations(const std::vector<Toleration>& tolerations, std::string_view field,
                         ProblemReport& report);

}  // namespace berth::api
