// Printing of Quantity.

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "quantity/quantity.h"

namespace berth::quantity {
namespace {

constexpr int64_t kBinaryStep = 1024;
constexpr std::array<std::string_view, 10> kDecimalSuffixes = {"n", "u", "m", "",  "k",
                                                               "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinarySuffixes = {"",   "Ki", "Mi", "Gi",
                                                             "Ti", "Pi", "Ei"};

void AppendInt(std::string& out, int64_t value) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  out.append(buffer.data(), end);
}

void AppendDecimalSuffix(std::string& out, int64_t exponent, Format format) {
  if (format == Format::kDecimalExponent) {
    if (exponent == 0) return;
    out += 'e';
    AppendInt(out, exponent);
    return;
  }
  const auto index = static_cast<size_t>((exponent - kNano) / 3);
  if (index < kDecimalSuffixes.size()) out += kDecimalSuffixes[index];
}

// Appends digits * 10^exponent. Precondition: no trailing zeros in the digits.
void AppendDigits(std::string& out, std::string_view digits, int64_t exponent, Format format) {
  constexpr int64_t kLargestExponent = 2147483646;  // a larger one would not parse
  int64_t zeros = exponent % 3;
  if (zeros < 0) zeros += 3;
  if (exponent - zeros > kLargestExponent) zeros = exponent - kLargestExponent;
  out += digits;
  out.append(static_cast<size_t>(zeros), '0');
  AppendDecimalSuffix(out, exponent - zeros, format);
}

void AppendDecimal(std::string& out, const Decimal& number, Format format) {
  const Decimal rounded = number.RoundedAwayFromZero(kNano);
  if (rounded.is_negative()) out += '-';
  AppendDigits(out, rounded.digits(), rounded.exponent(), format);
}

void AppendDecimal(std::string& out, int64_t mantissa, int64_t exponent, Format format) {
  if (exponent < kNano) return AppendDecimal(out, Decimal::FromInt(mantissa, exponent), format);
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), mantissa).ptr;
  std::string_view digits(buffer.data(), end);
  const size_t kept = digits.find_last_not_of('0') + 1;
  AppendDigits(out, digits.substr(0, kept), exponent + static_cast<int64_t>(digits.size() - kept),
               format);
}

void AppendBinary(std::string& out, int64_t value) {
  size_t steps = 0;
  for (; value % kBinaryStep == 0 && steps + 1 < kBinarySuffixes.size(); ++steps)
    value /= kBinaryStep;
  AppendInt(out, value);
  out += kBinarySuffixes[steps];
}

// Divides the digits by 1024 if the remainder is 0.
bool TryDivide(std::string& digits) {
  std::string quotient = digits;
  int64_t rest = 0;
  for (char& digit : quotient) {
    rest = rest * 10 + (digit - '0');
    digit = static_cast<char>('0' + rest / kBinaryStep);
    rest %= kBinaryStep;
  }
  if (rest != 0) return false;
  digits = quotient.substr(quotient.find_first_not_of('0'));
  return true;
}

// An integer beyond int64.
void AppendBinary(std::string& out, const Decimal& number) {
  std::string digits = number.digits() + std::string(static_cast<size_t>(number.exponent()), '0');
  size_t steps = 0;
  while (steps + 1 < kBinarySuffixes.size() && TryDivide(digits)) ++steps;
  if (number.is_negative()) out += '-';
  out += digits;
  out += kBinarySuffixes[steps];
}

}  // namespace

std::string Quantity::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

void Quantity::AppendTo(std::string& out) const {
  if (rare_ != nullptr && !rare_->text.empty()) {
    out += rare_->text;
    return;
  }
  Format format = format_;
  if (rare_ == nullptr && exponent_ == 0) {
    const bool is_large = mantissa_ >= kBinaryStep || mantissa_ <= -kBinaryStep;
    if (format == Format::kBinarySI && is_large) return AppendBinary(out, mantissa_);
    if (format == Format::kDecimalSI && mantissa_ % 1000 != 0) return AppendInt(out, mantissa_);
  }
  if (format == Format::kBinarySI) {
    const std::optional<int64_t> value = ExactInt();
    if (value && (*value >= kBinaryStep || *value <= -kBinaryStep))
      return AppendBinary(out, *value);
    const Decimal number = value ? Decimal() : ToDecimal();
    // Beyond this the digits are mostly zeros, so print an exponent.
    const bool is_printable = number.Magnitude() <= static_cast<int64_t>(Decimal::kMaxDigits);
    if (!number.is_zero() && number.IsInteger() && is_printable) return AppendBinary(out, number);
    format = is_printable ? Format::kDecimalSI : Format::kDecimalExponent;
  }
  if (const Decimal* number = large()) return AppendDecimal(out, *number, format);
  if (mantissa_ == 0) {
    out += '0';
  } else {
    AppendDecimal(out, mantissa_, exponent_, format);
  }
}

}  // namespace berth::quantity
