#include "api/meta/label_rules.h"

#include <algorithm>

#include "base/text.h"

namespace berth::api {
namespace {

constexpr size_t kMaxAnnotationBytes = 256 * 1024;

}  // namespace

void ReportFaults(std::string_view name, const NameProblems& faults, std::string_view field,
                  ProblemReport& report) {
  for (const std::string& fault : faults) report.Invalid(field, Quoted(name) + " " + fault);
}

void ValidateLabels(const base::FlatMap<std::string>& labels, std::string_view field,
                    ProblemReport& report) {
  for (const auto& [key, value] : labels) {
    ReportFaults(key, QualifiedNameProblems(key), field, report);
    for (const std::string& fault : LabelValueProblems(value)) {
      report.Invalid(field, "the value " + Quoted(value) + " of " + Quoted(key) + " " + fault);
    }
  }
}

void ValidateAnnotations(const base::FlatMap<std::string>& annotations, std::string_view field,
                         ProblemReport& report) {
  size_t bytes = 0;
  for (const auto& [key, value] : annotations) {
    ReportFaults(key, QualifiedNameProblems(base::LowerCase(key)), field, report);
    bytes += key.size() + value.size();
  }
  if (bytes > kMaxAnnotationBytes) {
    report.Add(schema::ProblemType::kTooLong, field,
               "all annotations together have " + std::to_string(bytes) + " bytes",
               "at most " + std::to_string(kMaxAnnotationBytes) + " are possible");
  }
}

}  // namespace berth::api
