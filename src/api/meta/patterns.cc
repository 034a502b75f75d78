#include "api/meta/patterns.h"

#include <algorithm>

#include "api/meta/names.h"
#include "base/text.h"

namespace berth::api {
namespace {

using base::IsLetter;
using base::IsLetterOrDigit;
using base::IsLowerOrDigit;

bool IsUnqualifiedName(std::string_view text) {
  return !text.empty() && IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) &&
         std::ranges::all_of(
             text, [](char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

}  // namespace

bool IsDnsSubdomain(std::string_view text) {
  for (size_t dot; (dot = text.find('.')) != text.npos; text.remove_prefix(dot + 1)) {
    if (!IsDnsLabel(text.substr(0, dot))) return false;
  }
  return IsDnsLabel(text);
}

bool IsQualifiedName(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == text.npos) return IsUnqualifiedName(text);
  return IsDnsSubdomain(text.substr(0, slash)) && IsUnqualifiedName(text.substr(slash + 1));
}

bool IsReason(std::string_view text) {
  return !text.empty() && IsLetter(text.front()) && text.back() != ',' && text.back() != ':' &&
         std::ranges::all_of(
             text, [](char c) { return IsLetterOrDigit(c) || c == '_' || c == ',' || c == ':'; });
}

}  // namespace berth::api
