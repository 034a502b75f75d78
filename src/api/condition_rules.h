#pragma once

#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/problem_report.h"

namespace berth::api {

// Conditions of any object: types that occur twice or are none, statuses, reasons, times, lengths.
void ValidateConditions(const std::vector<Condition>& conditions, std::string_view field,
                        ProblemReport& report);

}  // namespace berth::api
