#pragma once

// ASCII text predicates, independent of the locale.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace berth::base {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsLowerOrDigit(char c) { return IsLower(c) || IsDigit(c); }
constexpr bool IsLetterOrDigit(char c) { return IsLetter(c) || IsDigit(c); }

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (IsUpper(c)) c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Without leading and trailing blanks.
constexpr std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The spellings of a boolean in flags and annotations: 1, t, T, true, TRUE, True, and the same for
// false. Nullopt for any other text.
constexpr std::optional<bool> ParseBool(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return std::nullopt;
}

}  // namespace berth::base
