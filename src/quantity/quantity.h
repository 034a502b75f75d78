#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/int128.h"
#include "quantity/decimal.h"
#include "quantity/parse_error.h"

namespace berth::quantity {

// The finest resolution: 10^-9.
inline constexpr int kNano = -9;

// The print format: "12M", "12Mi" or "12e6".
enum class Format : uint8_t { kDecimalSI, kBinarySI, kDecimalExponent };

// An amount of a resource in Kubernetes notation: an exact number and its format.
//
// Parsing. [+-]digits[.digits][suffix], where the suffix is one of n u m k M G T P E (powers of
// 1000), Ki Mi Gi Ti Pi Ei (powers of 1024) or an exponent (e3, E-2). As in Kubernetes:
//   - missing digits read as 0 ("-", ".", "m", "Ki"), except before Pi, Ei and exponents below -9;
//   - parts below 1n are rounded away from zero, so that a positive request never becomes 0;
//   - a number with a binary suffix saturates at +-(2^63-1), other numbers have no limit;
//   - an exponent is truncated to 32 bits (1e4294967296 is 1), beyond 64 bits it is an error.
// Unlike Kubernetes: a text with more than Decimal::kMaxDigits significant digits is an error
// (kNumeric), and exponents near +-2^31 are cheap, since powers of ten are not multiplied out.
//
// Printing. The canonical text has no fraction, the largest suffix that allows that, and keeps the
// format; a binary number below 1024 or with a fraction prints in decimal. A short text that was
// just parsed prints unchanged, even if not canonical ("+1", "007", "1.125G"). DecimalSI has no
// suffix above E and, as in Kubernetes, the zeros that would need one are lost: 1000E prints as
// "1". Arithmetic on Quantities is not affected.
//
// Equality and order are by value, regardless of the format.
//
// 24 bytes. Numbers whose digits fit in an int64 and that print canonically need no allocation;
// others own one block.
class Quantity {
 public:
  // 0, in DecimalSI.
  constexpr Quantity() = default;
  static constexpr Quantity FromInt(int64_t value, Format format = Format::kDecimalSI) {
    return Quantity(value, 0, format);
  }
  static constexpr Quantity FromMilli(int64_t value, Format format = Format::kDecimalSI) {
    return Quantity(value, -3, format);
  }

  static std::expected<Quantity, ParseError> Parse(std::string_view text);

  constexpr Quantity(const Quantity& other)
      : mantissa_(other.mantissa_),
        exponent_(other.exponent_),
        format_(other.format_),
        rare_(other.rare_ == nullptr ? nullptr : CopyOf(*other.rare_)) {}
  constexpr Quantity(Quantity&& other) noexcept
      : mantissa_(other.mantissa_),
        exponent_(other.exponent_),
        format_(other.format_),
        rare_(other.rare_) {
    other.rare_ = nullptr;
  }
  constexpr Quantity& operator=(Quantity other) noexcept {
    std::swap(mantissa_, other.mantissa_);
    std::swap(exponent_, other.exponent_);
    std::swap(format_, other.format_);
    std::swap(rare_, other.rare_);
    return *this;
  }
  constexpr ~Quantity() {
    if (rare_ != nullptr) Delete(rare_);
  }

  Format format() const { return format_; }
  std::string ToString() const;
  void AppendTo(std::string& out) const;

  // -1, 0 or 1.
  int Sign() const;
  bool IsZero() const { return Sign() == 0; }

  // The number in units or thousandths, rounded away from zero, saturated to int64.
  int64_t Value() const;
  int64_t MilliValue() const;
  // The number if it is an integer that fits in int64.
  std::optional<int64_t> ExactInt() const;
  // The nearest double, within one unit in the last place.
  double ToDouble() const;

  // The result prints canonically and keeps this quantity's format; if this quantity is 0, it takes
  // the other's format, also for Sub.
  void Add(const Quantity& other);
  void Sub(const Quantity& other);
  // The exact product in this quantity's format. Digits below 1n are rounded only in text.
  void Multiply(const Quantity& factor);
  void Negate();

  friend bool operator==(const Quantity& a, const Quantity& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b);
  // Equal in value and text; used to detect changed objects.
  friend bool IsIdentical(const Quantity& a, const Quantity& b);

 private:
  friend class QuantityReader;  // quantity_parse.cc

  // State that mantissa_ cannot hold. At most one of the two is set.
  struct Rare {
    std::optional<Decimal> number;  // replaces mantissa_ and exponent_
    std::string text;               // the original text, if not canonical
  };

  constexpr Quantity(int64_t mantissa, int32_t exponent, Format format)
      : mantissa_(mantissa), exponent_(mantissa == 0 ? 0 : exponent), format_(format) {}
  Quantity(const Decimal& number, Format format);

  static Quantity FromWide(base::Int128 mantissa, int64_t exponent, Format format);
  static Rare* CopyOf(const Rare& rare);
  static void Delete(Rare* rare);

  // Null if the number is in mantissa_ and exponent_.
  const Decimal* large() const;
  Decimal ToDecimal() const;
  int64_t Scaled(int exponent) const;
  void AddSigned(const Quantity& other, int sign);

  int64_t mantissa_ = 0;
  int32_t exponent_ = 0;
  Format format_ = Format::kDecimalSI;
  Rare* rare_ = nullptr;
};

static_assert(sizeof(Quantity) <= 24);

}  // namespace berth::quantity
