#include "lint/finding.h"

#include <algorithm>
#include <tuple>

namespace berth::lint {

std::string_view ToString(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string ToString(const ObjectName& object) {
  std::string text = object.kind;
  if (object.name.empty()) return text;
  text += text.empty() ? "" : " ";
  if (!object.namespace_.empty()) text += object.namespace_ + "/";
  return text + object.name;
}

void Sort(Findings& findings) {
  const auto key = [](const Finding& f) {
    return std::tie(f.place.file, f.place.line, f.place.column, f.field, f.rule, f.message);
  };
  std::ranges::sort(findings, [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

}  // namespace berth::lint
