#pragma once

#include <string_view>
#include <vector>

#include "api/meta/meta.h"
#include "api/meta/problem_report.h"

namespace berth::api {

// Validates the conditions of any object: unique valid types, statuses, reasons, times, lengths.
void ValidateConditions(const std::vector<Condition>& conditions, std::string_view field,
                        ProblemReport& report);

}  // namespace berth::api
