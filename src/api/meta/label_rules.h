#pragma once

#include <string>
#include <string_view>

#include "api/meta/names.h"
#include "api/meta/problem_report.h"
#include "base/flat_map.h"

// Validation of labels and annotations, shared by many kinds.
namespace berth::api {

// Reports each fault on `field` of the current scope, or on the scope itself if `field` is "".
void ReportFaults(std::string_view name, const NameProblems& faults, std::string_view field,
                  ProblemReport& report);

// Validates keys and values of labels or node labels. As in Kubernetes, problems are reported on
// the map, not on the entry.
void ValidateLabels(const base::FlatMap<std::string>& labels, std::string_view field,
                    ProblemReport& report);

// Validates annotation keys, case-insensitively, and the total size of the annotations.
void ValidateAnnotations(const base::FlatMap<std::string>& annotations, std::string_view field,
                         ProblemReport& report);

}  // namespace berth::api
