#pragma once

#include <string>
#include <string_view>

#include "api/names.h"
#include "api/problem_report.h"
#include "base/flat_map.h"

// Rules about labels and annotations that many kinds share.
namespace berth::api {

// Reports each of the faults on `field` of what the report has entered (on that itself if "").
void ReportFaults(std::string_view name, const NameProblems& faults, std::string_view field,
                  ProblemReport& report);

// Keys and values of labels or node labels. Kubernetes reports them on the map, not on the entry.
void ValidateLabels(const base::FlatMap<std::string>& labels, std::string_view field,
                    ProblemReport& report);

// Keys of annotations, in which case does not matter, and their size altogether.
void ValidateAnnotations(const base::FlatMap<std::string>& annotations, std::string_view field,
                         ProblemReport& report);

}  // namespace berth::api
