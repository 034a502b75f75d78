#include "api/kueue/rules/constraint_warnings.h"

#include <algorithm>
#include <string_view>

#include "api/kueue/well_known.h"
#include "base/suggest.h"

namespace berth::api {
namespace {

constexpr std::string_view kConstraintAnnotations[] = {kCannotPreemptAnnotation,
                                                       kCannotBorrowAnnotation};

bool IsConstraintKey(std::string_view key) {
  return std::ranges::find(kConstraintAnnotations, key) != std::end(kConstraintAnnotations);
}

// The words of a name without what separates them: "cannot_borrow" and "cannotBorrow" are equal,
// as the comparison ignores case.
std::string WordsOf(std::string_view name) {
  std::string words;
  for (const char c : name)
    if (c != '-' && c != '_' && c != '.') words += c;
  return words;
}

bool IsLikeKueueGroup(std::string_view group) {
  constexpr std::string_view kGroups[] = {kKueueGroup};
  return group.empty() || !base::NearestWord(group, kGroups).empty();
}

// The constraint annotation that the key is or nearly is; "" if none.
std::string_view MeantConstraint(std::string_view key) {
  if (IsConstraintKey(key)) return key;
  const size_t slash = key.find('/');
  const bool has_group = slash != key.npos;
  if (!IsLikeKueueGroup(has_group ? key.substr(0, slash) : "")) return "";
  const std::string words = WordsOf(has_group ? key.substr(slash + 1) : key);
  constexpr std::string_view kWords[] = {"cannotpreempt", "cannotborrow"};
  const std::string_view nearest = base::NearestWord(words, kWords);
  if (nearest.empty()) return "";
  return nearest == kWords[0] ? kCannotPreemptAnnotation : kCannotBorrowAnnotation;
}

}  // namespace

void WarnAboutConstraintKeys(const ObjectMeta& metadata, ProblemReport& report) {
  for (const auto& [key, value] : metadata.annotations) {
    const std::string_view meant = MeantConstraint(key);
    if (meant.empty() || meant == key) continue;
    const auto in = report.In("annotations");
    const auto at = report.AtKey(key);
    report.Invalid("", "annotation has no effect: it is not the name of a constraint",
                   "write " + std::string(meant));
  }
  for (const auto& [key, value] : metadata.labels) {
    const std::string_view meant = MeantConstraint(key);
    if (meant.empty()) continue;
    const auto in = report.In("labels");
    const auto at = report.AtKey(key);
    report.Invalid("", "label has no effect: constraints are annotations",
                   "write the annotation " + std::string(meant));
  }
}

void WarnAboutUnusedConstraints(const ObjectMeta& metadata, const std::string& why,
                                const std::string& hint, ProblemReport& report) {
  for (const auto& [key, value] : metadata.annotations) {
    if (!IsConstraintKey(key) || value == "false") continue;
    const auto in = report.In("annotations");
    const auto at = report.AtKey(key);
    report.Invalid("", "annotation has no effect: " + why, hint);
  }
}

}  // namespace berth::api
