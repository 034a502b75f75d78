#include "api/kueue/rules/admission_gate_rules.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "api/kueue/well_known.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"
#include "base/text.h"

namespace berth::api {
namespace {

constexpr size_t kLongestGate = 63;

std::string_view ValueOf(const Annotations& annotations) {
  const std::string* value = annotations.Find(kAdmissionGatedByAnnotation);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::vector<std::string_view> GatesOf(std::string_view value) {
  std::vector<std::string_view> gates;
  if (base::Trimmed(value).empty()) return gates;
  for (size_t comma; (comma = value.find(',')) != value.npos; value.remove_prefix(comma + 1)) {
    gates.push_back(base::Trimmed(value.substr(0, comma)));
  }
  gates.push_back(base::Trimmed(value));
  return gates;
}

bool IsPathCharacter(char c) {
  constexpr std::string_view kMarks = "/-._~%!$&'()*+,;=:";
  return base::IsLetterOrDigit(c) || kMarks.find(c) != kMarks.npos;
}

void ValidateGateName(std::string_view gate, ProblemReport& report) {
  const size_t slash = gate.find('/');
  if (slash == gate.npos || slash == 0 || slash + 1 == gate.size()) {
    report.Invalid("", Quoted(gate) + " is not a domain with a path", "write \"example.com/name\"");
    return;
  }
  const std::string_view domain = gate.substr(0, slash);
  ReportFaults(domain, Dns1123SubdomainProblems(domain), "", report);
  if (!std::ranges::all_of(gate.substr(slash + 1), IsPathCharacter)) {
    report.Invalid("", Quoted(gate) + " has characters that a URL path cannot have",
                   "write \"example.com/name\"");
  }
}

void ValidateGates(std::string_view value, ProblemReport& report) {
  std::set<std::string_view> seen;
  for (std::string_view gate : GatesOf(value)) {
    if (gate.empty()) {
      report.Invalid("", "a name between commas is empty", "remove the comma");
    } else if (!seen.insert(gate).second) {
      report.Invalid("", Quoted(gate) + " is listed twice", "remove one of the two");
    } else {
      ValidateGateName(gate, report);
      if (gate.size() <= kLongestGate) continue;
      report.Add(schema::ProblemType::kTooLong, "", Quoted(gate) + " is too long",
                 "at most " + std::to_string(kLongestGate) + " bytes are possible");
    }
  }
}

void ValidateNoneAdded(std::string_view value, std::string_view old, ProblemReport& report) {
  if (value.empty()) return;
  if (old.empty()) {
    report.Forbidden("", "gates can be set at creation only", "remove the annotation");
    return;
  }
  const std::vector<std::string_view> before = GatesOf(old);
  for (std::string_view gate : GatesOf(value)) {
    if (std::ranges::find(before, gate) != before.end()) continue;
    report.Forbidden("", "gates can be removed only, and " + Quoted(gate) + " is new", "remove it");
    return;
  }
}

}  // namespace

void ValidateAdmissionGates(const Annotations& annotations, ProblemReport& report) {
  const auto in_metadata = report.In("metadata");
  const auto in_annotations = report.In("annotations");
  const auto at = report.AtKey(kAdmissionGatedByAnnotation);
  ValidateGates(ValueOf(annotations), report);
}

void ValidateAdmissionGatesUpdate(const Annotations& annotations, const Annotations& old,
                                  ProblemReport& report) {
  {
    const auto in_metadata = report.In("metadata");
    const auto in_annotations = report.In("annotations");
    const auto at = report.AtKey(kAdmissionGatedByAnnotation);
    ValidateNoneAdded(ValueOf(annotations), ValueOf(old), report);
  }
  ValidateAdmissionGates(annotations, report);
}

}  // namespace berth::api
