#include "api/patterns.h"

#include <algorithm>

namespace berth::api {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
bool IsLowerOrDigit(char c) { return IsLower(c) || IsDigit(c); }
bool IsLetterOrDigit(char c) { return IsLetter(c) || IsDigit(c); }

bool IsDnsLabel(std::string_view text) {
  return !text.empty() && IsLowerOrDigit(text.front()) && IsLowerOrDigit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLowerOrDigit(c) || c == '-'; });
}

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
