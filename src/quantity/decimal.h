#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"

namespace berth::quantity {

// An exact decimal number of any magnitude, the fallback of Quantity for numbers that do not fit in
// an int64. Digits are stored as text because such numbers are rare and mostly parsed and printed.
// Every operation is linear in the number of digits, except the product.
//
// Time and memory are bounded: a Decimal has at most kMaxDigits significant digits, and its power
// of ten is never multiplied out. A sum or product that needs more digits is rounded away from zero
// to kMaxDigits.
class Decimal {
 public:
  static constexpr size_t kMaxDigits = 1024;

  Decimal() = default;
  // value * 10^exponent.
  static Decimal FromInt(base::Int128 value, int64_t exponent);
  // The digits of `whole` followed by `fraction`, times 10^exponent. Both contain only digits.
  // Nullopt if more than kMaxDigits remain after stripping zeros at both ends.
  static std::optional<Decimal> FromDigits(bool is_negative, std::string_view whole,
                                           std::string_view fraction, int64_t exponent);

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return is_negative_; }
  // Most significant first, without zeros at either end; empty for 0.
  const std::string& digits() const { return digits_; }
  // The power of ten of the last digit.
  int64_t exponent() const { return exponent_; }
  // The least m with |number| < 10^m; 0 for 0.
  int64_t Magnitude() const { return exponent_ + static_cast<int64_t>(digits_.size()); }
  bool IsInteger() const { return exponent_ >= 0; }

  // The digits as one integer, or nullopt if they do not fit in an int64.
  std::optional<int64_t> DigitsAsInt64() const;
  // The number divided by 10^exponent, rounded away from zero, saturated to int64.
  int64_t SaturatingInt64(int64_t exponent) const;

  // Rounds away from zero to a multiple of 10^exponent.
  Decimal RoundedAwayFromZero(int64_t exponent) const;
  Decimal Negated() const;

  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend Decimal operator*(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal&, const Decimal&) = default;

 private:
  Decimal(bool is_negative, std::string digits, int64_t exponent);

  void Normalize();
  void KeepDigits(size_t count);
  void IncrementLastDigit();
  std::string DigitsDownTo(int64_t exponent) const;

  bool is_negative_ = false;
  std::string digits_;
  int64_t exponent_ = 0;
};

}  // namespace berth::quantity
