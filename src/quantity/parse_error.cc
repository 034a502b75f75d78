#include "quantity/parse_error.h"

#include <algorithm>
#include <array>
#include <string>

#include "quantity/decimal.h"

namespace berth::quantity {
namespace {

constexpr std::string_view kGeneralHint =
    "write a number with one of the suffixes n, u, m, k, M, G, T, P, E (powers of 1000), Ki, Mi, "
    "Gi, Ti, Pi, Ei (powers of 1024) or an exponent, such as 500m, 1.5, 16Gi or 2e3";

std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return "\"" + std::string(text) + "\"";
  return "\"" + std::string(text.substr(0, kLongest)) + "...\"";
}

// The text split after the last digit or point of the number.
struct Pieces {
  std::string number;
  std::string_view suffix;
};

Pieces SplitAtSuffix(std::string_view text) {
  const size_t end = std::min(text.find_first_not_of("+-.0123456789"), text.size());
  return {std::string(text.substr(0, end)), text.substr(end)};
}

struct Misspelling {
  std::string_view written;
  std::string_view decimal;
  std::string_view binary;
};
// Common wrong suffixes and their corrections. Byte suffixes lose their B; case matters.
constexpr std::array kMisspellings = std::to_array<Misspelling>({
    {"B", "", ""},     {"b", "", ""},     {"K", "k", "Ki"},    {"KB", "k", "Ki"},
    {"kB", "k", "Ki"}, {"kb", "k", "Ki"}, {"Kb", "k", "Ki"},   {"ki", "", "Ki"},
    {"KI", "", "Ki"},  {"kI", "", "Ki"},  {"KiB", "", "Ki"},   {"MB", "M", "Mi"},
    {"Mb", "M", "Mi"}, {"mb", "M", "Mi"}, {"mB", "M", "Mi"},   {"mi", "", "Mi"},
    {"MI", "", "Mi"},  {"MiB", "", "Mi"}, {"g", "G", "Gi"},    {"GB", "G", "Gi"},
    {"Gb", "G", "Gi"}, {"gb", "G", "Gi"}, {"gi", "", "Gi"},    {"GI", "", "Gi"},
    {"GiB", "", "Gi"}, {"t", "T", "Ti"},  {"TB", "T", "Ti"},   {"Tb", "T", "Ti"},
    {"tb", "T", "Ti"}, {"ti", "", "Ti"},  {"TI", "", "Ti"},    {"TiB", "", "Ti"},
    {"p", "P", "Pi"},  {"PB", "P", "Pi"}, {"pb", "P", "Pi"},   {"pi", "", "Pi"},
    {"PI", "", "Pi"},  {"PiB", "", "Pi"}, {"EB", "E", "Ei"},   {"ei", "", "Ei"},
    {"EI", "", "Ei"},  {"EiB", "", "Ei"}, {"\u00b5", "u", ""}, {"\u03bc", "u", ""},
});

std::string SuffixHint(const Pieces& pieces) {
  for (const auto& [written, decimal, binary] : kMisspellings) {
    if (pieces.suffix != written) continue;
    if (binary.empty()) return "write " + pieces.number + std::string(decimal);
    if (decimal.empty()) return "write " + pieces.number + std::string(binary);
    return "write " + pieces.number + std::string(decimal) + " for powers of 1000 or " +
           pieces.number + std::string(binary) + " for powers of 1024";
  }
  if (pieces.suffix == "e") return "an exponent needs its digits, as in " + pieces.number + "e3";
  return std::string(kGeneralHint);
}

std::string Without(std::string_view text, std::string_view unwanted) {
  std::string rest(text);
  std::erase_if(rest, [&](char c) { return unwanted.find(c) != std::string_view::npos; });
  return rest;
}

std::string FormatHint(std::string_view text) {
  constexpr size_t kLongestEcho = 60;
  constexpr std::string_view kBlanks = " \t\r\n", kSeparators = ",_'";
  if (text.empty() || text.size() > kLongestEcho) return std::string(kGeneralHint);
  if (text.find_first_of(kBlanks) != std::string_view::npos)
    return "write it without blanks: " + Without(text, kBlanks);
  if (text.find_first_of(kSeparators) != std::string_view::npos)
    return "write it without separators between digits: " + Without(text, kSeparators);
  if (text.ends_with('%')) return "write an amount, not a share of one, such as 500m for a half";
  return SuffixHint(SplitAtSuffix(text));
}

std::string NumericHint(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos)
    return "write a number before the suffix, such as 1" + std::string(text);
  return "write at most " + std::to_string(Decimal::kMaxDigits) +
         " digits, and an exponent for larger numbers, such as 1e30";
}

}  // namespace

base::Error Explain(ParseError error, std::string_view text) {
  if (text.empty()) return {"a quantity may not be empty", std::string(kGeneralHint), {}};
  switch (error) {
    case ParseError::kFormat:
      return {Quoted(text) + " is not a quantity", FormatHint(text), {}};
    case ParseError::kSuffix:
      return {Quoted(text) + " has a suffix that quantities do not have",
              text.size() > 60 ? std::string(kGeneralHint) : SuffixHint(SplitAtSuffix(text)),
              {}};
    case ParseError::kNumeric:
      break;
  }
  return {Quoted(text) + " holds no number that a quantity can be", NumericHint(text), {}};
}

}  // namespace berth::quantity
