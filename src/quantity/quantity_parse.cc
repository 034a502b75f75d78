// Parsing of Quantity.

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "base/text.h"
#include "quantity/power_of_ten.h"
#include "quantity/quantity.h"

namespace berth::quantity {
namespace {

using base::Int128;
using base::IsDigit;

constexpr size_t kMaxShortDigits = 18;  // always fit in an int64

// The parts of the text. `whole` has no leading zeros, so it may be empty.
struct Parts {
  bool is_negative = false;
  bool has_plus = false;
  bool has_point = false;
  bool has_leading_zeros = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view suffix;
  uint64_t digits = 0;  // of whole and fraction; undefined if they are not short

  size_t DigitCount() const { return whole.size() + fraction.size(); }
  bool HasNumber() const { return has_leading_zeros || DigitCount() > 0; }
};

const char* ReadDigits(const char* at, const char* end, uint64_t& digits) {
  for (; at != end && IsDigit(*at); ++at) digits = digits * 10 + static_cast<uint64_t>(*at - '0');
  return at;
}

Parts Split(std::string_view text) {
  Parts parts;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (at != end && (*at == '-' || *at == '+')) {
    parts.is_negative = *at == '-';
    parts.has_plus = *at == '+';
    ++at;
  }
  const char* start = at;
  while (at != end && *at == '0') ++at;
  parts.has_leading_zeros = at != start;
  start = at;
  at = ReadDigits(at, end, parts.digits);
  parts.whole = {start, at};
  if (at != end && *at == '.') {
    parts.has_point = true;
    start = ++at;
    at = ReadDigits(at, end, parts.digits);
    parts.fraction = {start, at};
  }
  parts.suffix = {at, end};
  return parts;
}

struct Suffix {
  Format format = Format::kDecimalSI;
  int32_t exponent = 0;  // of 2 for kBinarySI, otherwise of 10

  static Suffix Decimal(int32_t exponent) { return {Format::kDecimalSI, exponent}; }
  static Suffix Binary(int32_t exponent) { return {Format::kBinarySI, exponent}; }
};

// Kubernetes first checks for valid characters in the right order: letters, sign, digits.
bool IsWellFormed(std::string_view suffix) {
  suffix.remove_prefix(std::min(suffix.find_first_not_of("eEinumkKMGTP"), suffix.size()));
  if (suffix.starts_with('-') || suffix.starts_with('+')) suffix.remove_prefix(1);
  return suffix.find_first_not_of("0123456789") == std::string_view::npos;
}

std::expected<Suffix, ParseError> ReadExponent(std::string_view text) {
  if (!IsWellFormed(text)) return std::unexpected(ParseError::kFormat);
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E'))
    return std::unexpected(ParseError::kSuffix);
  text.remove_prefix(text[1] == '+' ? 2 : 1);
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size())
    return std::unexpected(ParseError::kSuffix);
  return Suffix{Format::kDecimalExponent, static_cast<int32_t>(exponent)};
}

std::expected<Suffix, ParseError> ReadSuffix(std::string_view text) {
  if (text.empty()) return Suffix();
  if (text.size() == 1) {
    switch (text[0]) {
      case 'n':
        return Suffix::Decimal(-9);
      case 'u':
        return Suffix::Decimal(-6);
      case 'm':
        return Suffix::Decimal(-3);
      case 'k':
        return Suffix::Decimal(3);
      case 'M':
        return Suffix::Decimal(6);
      case 'G':
        return Suffix::Decimal(9);
      case 'T':
        return Suffix::Decimal(12);
      case 'P':
        return Suffix::Decimal(15);
      case 'E':
        return Suffix::Decimal(18);
      default:
        break;
    }
  } else if (text.size() == 2 && text[1] == 'i') {
    switch (text[0]) {
      case 'K':
        return Suffix::Binary(10);
      case 'M':
        return Suffix::Binary(20);
      case 'G':
        return Suffix::Binary(30);
      case 'T':
        return Suffix::Binary(40);
      case 'P':
        return Suffix::Binary(50);
      case 'E':
        return Suffix::Binary(60);
      default:
        break;
    }
  }
  return ReadExponent(text);
}

// The number of digits that Kubernetes treats as short before this binary suffix.
int64_t ShortBinaryDigits(int32_t exponent) { return 14 - exponent * 3 / 10; }

// Kubernetes parses short numbers without big decimals, and only those may lack digits.
bool MayLackDigits(const Suffix& suffix) {
  if (suffix.format == Format::kBinarySI) return ShortBinaryDigits(suffix.exponent) >= 1;
  return suffix.exponent >= kNano;
}

bool EndsInThreeZeros(const Parts& parts) {
  return parts.DigitCount() >= 3 && parts.digits % 1000 == 0;
}

// Whether the number prints unchanged rather than canonically.
bool KeepsText(const Parts& parts, const Suffix& suffix) {
  if (suffix.format == Format::kBinarySI) {
    const auto digits = static_cast<int64_t>(std::max<size_t>(parts.whole.size(), 1));
    return parts.fraction.empty() && digits <= ShortBinaryDigits(suffix.exponent) &&
           parts.digits % 8 != 0;
  }
  const int64_t exponent = suffix.exponent - static_cast<int64_t>(parts.fraction.size());
  return !parts.whole.empty() && parts.DigitCount() <= kMaxShortDigits && exponent >= kNano &&
         exponent % 3 == 0 && !EndsInThreeZeros(parts);
}

bool IsCanonicalSuffix(std::string_view text, const Suffix& suffix) {
  if (suffix.format != Format::kDecimalExponent) return true;
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), suffix.exponent).ptr;
  return suffix.exponent != 0 && text.front() == 'e' &&
         text.substr(1) == std::string_view(digits.begin(), end);
}

// Whether a text that prints unchanged is canonical and need not be stored.
bool IsCanonical(const Parts& parts, const Suffix& suffix) {
  return !parts.has_plus && !parts.has_leading_zeros && !parts.has_point &&
         IsCanonicalSuffix(parts.suffix, suffix);
}

}  // namespace

// Builds a Quantity from the parts of its text.
class QuantityReader {
 public:
  // Fast path for the most common texts, such as "4" and "16Gi".
  static std::optional<Quantity> ReadPlain(std::string_view text) {
    constexpr size_t kMostDigits = 9;
    const char* at = text.data();
    const char* const end = at + text.size();
    if (at == end || *at < '1' || *at > '9') return std::nullopt;
    uint64_t digits = 0;
    at = ReadDigits(at, end, digits);
    if (static_cast<size_t>(at - text.data()) > kMostDigits) return std::nullopt;
    const auto number = static_cast<int64_t>(digits);
    if (at == end) return Quantity(number, 0, Format::kDecimalSI);
    if (end - at == 1 && *at == 'm') return Quantity(number, -3, Format::kDecimalSI);
    if (end - at != 2 || at[1] != 'i') return std::nullopt;
    const int shift = *at == 'G' ? 30 : *at == 'M' ? 20 : *at == 'K' ? 10 : 0;
    if (shift == 0) return std::nullopt;
    return Quantity(number << shift, 0, Format::kBinarySI);
  }

  static std::expected<Quantity, ParseError> Read(std::string_view text) {
    if (text.empty()) return std::unexpected(ParseError::kFormat);
    const Parts parts = Split(text);
    const auto suffix = ReadSuffix(parts.suffix);
    if (!suffix) return std::unexpected(suffix.error());
    if (!parts.HasNumber() && !MayLackDigits(*suffix)) return std::unexpected(ParseError::kNumeric);
    if (parts.DigitCount() > kMaxShortDigits) return ReadLong(parts, *suffix);
    Quantity quantity = ReadShort(parts, *suffix);
    if (KeepsText(parts, *suffix) && !IsCanonical(parts, *suffix))
      quantity.rare_ = new Quantity::Rare{.number = {}, .text = std::string(text)};
    return quantity;
  }

 private:
  static Quantity ReadShort(const Parts& parts, const Suffix& suffix) {
    const auto digits = static_cast<int64_t>(parts.digits);
    const int64_t mantissa = parts.is_negative ? -digits : digits;
    const auto fraction_size = static_cast<int32_t>(parts.fraction.size());
    if (suffix.format == Format::kBinarySI)
      return ReadShortBinary(Int128{mantissa} * (int64_t{1} << suffix.exponent), fraction_size);
    const int64_t exponent = int64_t{suffix.exponent} - fraction_size;
    if (exponent >= kNano) return Quantity(mantissa, static_cast<int32_t>(exponent), suffix.format);
    return Quantity::FromWide(RoundToNano(mantissa, exponent), kNano, suffix.format);
  }

  // value / 10^fraction_size.
  static Quantity ReadShortBinary(Int128 value, int32_t fraction_size) {
    if (fraction_size > -kNano) {
      value = RoundToNano(value, -fraction_size);
      fraction_size = -kNano;
    }
    const int64_t unit = PowerOfTen(fraction_size);
    const Int128 limit = Int128{std::numeric_limits<int64_t>::max()} * unit;
    if (value > limit) value = limit;
    if (value < -limit) value = -limit;
    const bool is_below_one = value < unit && value > -unit && value != 0;
    return Quantity::FromWide(value, -fraction_size,
                              is_below_one ? Format::kDecimalSI : Format::kBinarySI);
  }

  // value * 10^exponent in units of 1n, for exponents below nano.
  static Int128 RoundToNano(Int128 value, int64_t exponent) {
    const int64_t shift = kNano - exponent;
    if (shift <= kLargestPower) return DivideAwayFromZero(value, PowerOfTen(shift));
    return (value > 0) - (value < 0);
  }

  static std::expected<Quantity, ParseError> ReadLong(const Parts& parts, const Suffix& suffix) {
    const bool is_binary = suffix.format == Format::kBinarySI;
    const int64_t exponent =
        (is_binary ? 0 : int64_t{suffix.exponent}) - static_cast<int64_t>(parts.fraction.size());
    const auto number =
        Decimal::FromDigits(parts.is_negative, parts.whole, parts.fraction, exponent);
    if (!number) return std::unexpected(ParseError::kNumeric);
    if (!is_binary) return Quantity(number->RoundedAwayFromZero(kNano), suffix.format);
    const Decimal unit = Decimal::FromInt(Int128{1} << suffix.exponent, 0);
    return ReadLongBinary((*number * unit).RoundedAwayFromZero(kNano));
  }

  static Quantity ReadLongBinary(const Decimal& number) {
    constexpr int64_t kLimit = std::numeric_limits<int64_t>::max();
    if (number > Decimal::FromInt(kLimit, 0)) return Quantity(kLimit, 0, Format::kBinarySI);
    if (number < Decimal::FromInt(-kLimit, 0)) return Quantity(-kLimit, 0, Format::kBinarySI);
    const bool is_below_one = !number.is_zero() && number.Magnitude() <= 0;
    return Quantity(number, is_below_one ? Format::kDecimalSI : Format::kBinarySI);
  }
};

std::expected<Quantity, ParseError> Quantity::Parse(std::string_view text) {
  if (std::optional<Quantity> plain = QuantityReader::ReadPlain(text)) return *std::move(plain);
  return QuantityReader::Read(text);
}

}  // namespace berth::quantity
