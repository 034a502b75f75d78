#pragma once

#include <string_view>
#include <vector>

#include "api/problem_report.h"
#include "api/resource_flavor.h"
#include "api/toleration.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a ResourceFlavor that its CRD cannot say: the forms of labels, taints and
// tolerations, and taints that occur twice.
schema::Problems ValidateResourceFlavor(const ResourceFlavor& flavor);

// The keys of tolerations; the rest of them is for the CRD to check.
void ValidateTolerations(const std::vector<Toleration>& tolerations, std::string_view field,
                         ProblemReport& report);

}  // namespace berth::api
