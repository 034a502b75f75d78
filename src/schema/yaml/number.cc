#include "schema/yaml/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>

#include "base/text.h"

namespace berth::schema {
namespace {

using base::IsDigit;

// Consumes the sign; true for '-'.
bool TakeSign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

// Consumes the prefix of the base.
int TakeBase(std::string_view& text) {
  if (text.size() < 2 || text.front() != '0') return 10;
  const char letter = static_cast<char>(text[1] | 0x20);
  const int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  text.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

std::optional<uint64_t> ParseMagnitude(std::string_view digits, int base) {
  uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [ptr, ec] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || ec != std::errc() || ptr != end) return std::nullopt;
  return value;
}

std::optional<int64_t> WithSign(std::optional<uint64_t> magnitude, bool negative) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (!magnitude || *magnitude > kMax + (negative ? 1 : 0)) return std::nullopt;
  return static_cast<int64_t>(negative ? 0 - *magnitude : *magnitude);
}

size_t CountDigits(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

// The parts of a decimal number.
struct Decimal {
  std::string_view whole, fraction, exponent;  // digits only
  bool is_exponent_negative = false;
};

std::optional<Decimal> SplitDecimal(std::string_view text) {
  Decimal out;
  out.whole = text.substr(0, CountDigits(text));
  text.remove_prefix(out.whole.size());
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.fraction = text.substr(0, CountDigits(text));
    text.remove_prefix(out.fraction.size());
  }
  if (out.whole.empty() && out.fraction.empty()) return std::nullopt;
  if (text.empty()) return out;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  out.is_exponent_negative = TakeSign(text);
  out.exponent = text;
  if (text.empty() || CountDigits(text) != text.size()) return std::nullopt;
  return out;
}

// Whether the magnitude exceeds 1. Only called for numbers far from 1.
bool IsLarge(const Decimal& number) {
  const auto nonzero = [](std::string_view digits) { return digits.find_first_not_of('0'); };
  int64_t magnitude = 0;  // digits before the point
  if (const size_t at = nonzero(number.whole); at != std::string_view::npos) {
    magnitude = static_cast<int64_t>(number.whole.size() - at);
  } else if (const size_t zeros = nonzero(number.fraction); zeros != std::string_view::npos) {
    magnitude = -static_cast<int64_t>(zeros);
  } else {
    return false;
  }
  // An exponent with many digits outweighs any number of digits that fits in memory.
  int64_t exponent = std::numeric_limits<int64_t>::max() / 2;
  if (const auto value = ParseMagnitude(number.exponent, 10); value && *value < 1ull << 62) {
    exponent = static_cast<int64_t>(*value);
  }
  if (number.exponent.empty()) exponent = 0;
  return magnitude + (number.is_exponent_negative ? -exponent : exponent) > 0;
}

// The digits of the shortest decimal that parses to the value, and the exponent of the first.
struct Digits {
  std::array<char, 20> text;
  size_t count = 0;
  int exponent = 0;
};

template <class Real>
Digits ShortestDigits(Real magnitude) {
  std::array<char, 32> buffer;
  const char* const begin = buffer.data();
  const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                        std::chars_format::scientific)
                              .ptr;
  const char* const e = std::find(begin, end, 'e');
  Digits out;
  for (const char* at = begin; at != e; ++at) {
    if (*at != '.') out.text[out.count++] = *at;
  }
  const bool plus = e[1] == '+';
  std::from_chars(e + (plus ? 2 : 1), end, out.exponent);
  return out;
}

void AppendFixed(std::string& out, const Digits& digits) {
  const std::string_view text(digits.text.data(), digits.count);
  if (digits.exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-digits.exponent - 1), '0');
    out += text;
    return;
  }
  const size_t whole = static_cast<size_t>(digits.exponent) + 1;
  out += text.substr(0, whole);
  if (whole > text.size()) out.append(whole - text.size(), '0');
  if (whole < text.size()) {
    out += '.';
    out += text.substr(whole);
  }
}

void AppendScientific(std::string& out, const Digits& digits, int min_exponent_digits) {
  const std::string_view text(digits.text.data(), digits.count);
  out += text.front();
  if (text.size() > 1) {
    out += '.';
    out += text.substr(1);
  }
  out += digits.exponent < 0 ? "e-" : "e+";
  const std::string exponent = std::to_string(std::abs(digits.exponent));
  const auto width = static_cast<size_t>(min_exponent_digits);
  if (exponent.size() < width) out.append(width - exponent.size(), '0');
  out += exponent;
}

}  // namespace

bool IsBase60(std::string_view text) {
  TakeSign(text);
  const size_t colon = text.find(':');
  if (text.empty() || !IsDigit(text.front()) || colon == text.npos) return false;
  return text.find_first_not_of("0123456789_") == colon &&
         text.find_first_not_of("0123456789_:.", colon) == text.npos;
}

std::string_view WithoutUnderscores(std::string_view text, std::string& buffer) {
  if (!text.contains('_')) return text;
  buffer = text;
  std::erase(buffer, '_');
  return buffer;
}

bool UnderscoresSeparateDigits(std::string_view text) {
  for (size_t at = text.find('_'); at != text.npos; at = text.find('_', at + 1)) {
    if (at == 0 || at + 1 == text.size() || !IsDigit(text[at - 1]) || !IsDigit(text[at + 1])) {
      return false;
    }
  }
  return true;
}

std::optional<int64_t> ParseYamlInt(std::string_view text) {
  if (text.starts_with("0b") && text.size() > 2 && (text[2] == '-' || text[2] == '+')) {
    text.remove_prefix(2);  // a sign after the prefix is allowed, in base 2 only
    const bool negative = TakeSign(text);
    return WithSign(ParseMagnitude(text, 2), negative);
  }
  const bool negative = TakeSign(text);
  const int base = TakeBase(text);
  return WithSign(ParseMagnitude(text, base), negative);
}

std::optional<uint64_t> ParseYamlUint(std::string_view text) {
  const int base = TakeBase(text);
  return ParseMagnitude(text, base);
}

std::optional<double> ParseYamlFloat(std::string_view text) {
  const bool negative = TakeSign(text);
  const auto parts = SplitDecimal(text);
  if (!parts) return std::nullopt;
  double value = 0;
  const auto ec = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (ec != std::errc() || std::isinf(value)) {
    if (IsLarge(*parts)) return std::nullopt;
    value = 0;
  }
  return negative ? -value : value;
}

void AppendJsonFloat(std::string& out, double value) {
  if (std::signbit(value)) out += '-';
  const double magnitude = std::abs(value);
  const Digits digits = ShortestDigits(magnitude);
  if (magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21)) {
    AppendScientific(out, digits, 1);
  } else {
    AppendFixed(out, digits);
  }
}

void AppendKeyFloat(std::string& out, double value) {
  if (std::isnan(value)) {
    out += ".nan";
    return;
  }
  if (std::signbit(value)) out += '-';
  // The conversion is undefined beyond single precision, so infinity is handled separately.
  const double magnitude = std::abs(value);
  constexpr double kRoundsToInfinity = 0x1.ffffffp127;
  if (magnitude >= kRoundsToInfinity) {
    out += ".inf";
    return;
  }
  const Digits digits = ShortestDigits(static_cast<float>(magnitude));
  if (digits.exponent < -4 || digits.exponent >= 6) {
    AppendScientific(out, digits, 2);
  } else {
    AppendFixed(out, digits);
  }
}

}  // namespace berth::schema
