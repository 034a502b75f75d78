#include "api/meta/condition_rules.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/meta/label_rules.h"
#include "api/meta/patterns.h"

namespace berth::api {
namespace {

constexpr size_t kLongestReason = 1024;
constexpr size_t kLongestMessage = 32 * 1024;

void ValidateLength(std::string_view text, size_t most, std::string_view field,
                    ProblemReport& report) {
  if (text.size() <= most) return;
  report.Add(schema::ProblemType::kTooLong, field, "has " + std::to_string(text.size()) + " bytes",
             "at most " + std::to_string(most) + " are possible");
}

void ValidateReason(const std::string& reason, ProblemReport& report) {
  if (reason.empty()) {
    report.Required("reason", "must be set: one machine-readable word", "such as \"Pending\"");
    return;
  }
  if (!IsReason(reason)) {
    report.Invalid("reason", Quoted(reason) + " is not a machine-readable word",
                   "write a letter, then letters, digits, '_', ',' and ':', such as \"Pending\"");
  }
  ValidateLength(reason, kLongestReason, "reason", report);
}

void ValidateCondition(const Condition& condition, ProblemReport& report) {
  ReportFaults(condition.type, QualifiedNameProblems(condition.type), "type", report);
  if (std::ranges::find(kConditionStatuses, condition.status) == std::end(kConditionStatuses)) {
    report.NotSupported("status", Quoted(condition.status) + " is not a status",
                        "write True, False or Unknown");
  }
  if (condition.observed_generation < 0) {
    report.Invalid("observedGeneration", "must not be negative", "write 0 or more");
  }
  if (condition.last_transition_time.value_or(base::kZeroTime) == base::kZeroTime) {
    report.Required("lastTransitionTime", "must be set: the time at which status last changed",
                    "such as \"2026-01-02T15:04:05Z\"");
  }
  ValidateReason(condition.reason, report);
  ValidateLength(condition.message, kLongestMessage, "message", report);
}

}  // namespace

void ValidateConditions(const std::vector<Condition>& conditions, std::string_view field,
                        ProblemReport& report) {
  std::set<std::string_view> types;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const auto at = report.In(field, i);
    if (!types.insert(conditions[i].type).second) {
      report.Duplicate("type", "there is a condition " + Quoted(conditions[i].type) + " already",
                       "keep one of the two");
    }
    ValidateCondition(conditions[i], report);
  }
}

}  // namespace berth::api
