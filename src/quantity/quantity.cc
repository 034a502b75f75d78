#include "quantity/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "quantity/power_of_ten.h"

namespace berth::quantity {
namespace {

using base::Int128;
using Int64Limits = std::numeric_limits<int64_t>;

bool FitsInt64(Int128 value) { return value == static_cast<int64_t>(value); }

int64_t Saturate(Int128 value) {
  return static_cast<int64_t>(
      std::clamp(value, Int128{Int64Limits::min()}, Int128{Int64Limits::max()}));
}

// Computed as in Go, so that derived values (weights, metrics) are bit-identical.
double PowerOfTenAsDouble(int64_t exponent) {
  constexpr auto kPowers = [] {
    std::array<double, 23> powers{
        1};  // 10^22 is the largest power that a double represents exactly
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  const auto size = static_cast<size_t>(std::abs(exponent));
  if (size >= kPowers.size()) return std::pow(10.0, static_cast<double>(exponent));
  return exponent < 0 ? 1.0 / kPowers[size] : kPowers[size];
}

}  // namespace

Quantity::Rare* Quantity::CopyOf(const Rare& rare) { return new Rare(rare); }
void Quantity::Delete(Rare* rare) { delete rare; }

Quantity::Quantity(const Decimal& number, Format format) : format_(format) {
  const auto mantissa = number.DigitsAsInt64();
  const auto exponent = static_cast<int32_t>(number.exponent());
  if (mantissa && exponent == number.exponent()) {
    mantissa_ = *mantissa;
    exponent_ = exponent;
  } else {
    rare_ = new Rare{.number = number, .text = {}};
  }
}

Quantity Quantity::FromWide(Int128 mantissa, int64_t exponent, Format format) {
  while (!FitsInt64(mantissa) && mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  if (FitsInt64(mantissa) && exponent == static_cast<int32_t>(exponent))
    return Quantity(static_cast<int64_t>(mantissa), static_cast<int32_t>(exponent), format);
  return Quantity(Decimal::FromInt(mantissa, exponent), format);
}

const Decimal* Quantity::large() const {
  return rare_ != nullptr && rare_->number ? &*rare_->number : nullptr;
}

Decimal Quantity::ToDecimal() const {
  const Decimal* number = large();
  return number != nullptr ? *number : Decimal::FromInt(mantissa_, exponent_);
}

int Quantity::Sign() const {
  if (const Decimal* number = large()) return number->is_negative() ? -1 : 1;
  return (mantissa_ > 0) - (mantissa_ < 0);
}

// The number divided by 10^exponent.
int64_t Quantity::Scaled(int exponent) const {
  if (const Decimal* number = large()) return number->SaturatingInt64(exponent);
  const int64_t shift = int64_t{exponent_} - exponent;
  if (shift > kLargestPower) return Saturate(Int128{Sign()} << 64);
  if (shift >= 0) return Saturate(Int128{mantissa_} * PowerOfTen(shift));
  if (shift < -kLargestPower) return Sign();
  return static_cast<int64_t>(DivideAwayFromZero(mantissa_, PowerOfTen(-shift)));
}

int64_t Quantity::Value() const { return Scaled(0); }
int64_t Quantity::MilliValue() const { return Scaled(-3); }

std::optional<int64_t> Quantity::ExactInt() const {
  const int64_t value = Value();
  if (*this == FromInt(value)) return value;
  return std::nullopt;
}

double Quantity::ToDouble() const {
  if (const Decimal* number = large()) {
    const std::string text = number->digits() + "e" + std::to_string(number->exponent());
    const double magnitude = std::strtod(text.c_str(), nullptr);
    return number->is_negative() ? -magnitude : magnitude;
  }
  return static_cast<double>(mantissa_) * PowerOfTenAsDouble(exponent_);
}

void Quantity::Add(const Quantity& other) { AddSigned(other, 1); }
void Quantity::Sub(const Quantity& other) { AddSigned(other, -1); }

void Quantity::AddSigned(const Quantity& other, int sign) {
  const Format format = IsZero() ? other.format_ : format_;
  const bool is_small = large() == nullptr && other.large() == nullptr;
  const int64_t end = mantissa_ == 0         ? other.exponent_
                      : other.mantissa_ == 0 ? exponent_
                                             : std::min(exponent_, other.exponent_);
  const int64_t shift = mantissa_ == 0 ? 0 : exponent_ - end;
  const int64_t other_shift = other.mantissa_ == 0 ? 0 : other.exponent_ - end;
  if (is_small && shift <= kLargestPower && other_shift <= kLargestPower) {
    const Int128 sum = Int128{mantissa_} * PowerOfTen(shift) +
                       Int128{other.mantissa_} * PowerOfTen(other_shift) * sign;
    *this = FromWide(sum, end, format);
    return;
  }
  const Decimal addend = sign < 0 ? other.ToDecimal().Negated() : other.ToDecimal();
  *this = Quantity(ToDecimal() + addend, format);
}

void Quantity::Multiply(const Quantity& factor) {
  if (large() == nullptr && factor.large() == nullptr) {
    *this = FromWide(Int128{mantissa_} * factor.mantissa_, int64_t{exponent_} + factor.exponent_,
                     format_);
  } else {
    *this = Quantity(ToDecimal() * factor.ToDecimal(), format_);
  }
}

void Quantity::Negate() {
  if (large() != nullptr) {
    *this = Quantity(large()->Negated(), format_);
  } else {
    *this = FromWide(-Int128{mantissa_}, exponent_, format_);
  }
}

std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
  if (a.large() != nullptr || b.large() != nullptr) return a.ToDecimal() <=> b.ToDecimal();
  if (a.exponent_ == b.exponent_) return a.mantissa_ <=> b.mantissa_;
  if (a.mantissa_ == 0 || b.mantissa_ == 0) return a.Sign() <=> b.Sign();
  const int64_t shift = int64_t{a.exponent_} - b.exponent_;
  // Beyond the largest power, the smallest number of the higher exponent exceeds any int64.
  if (shift > kLargestPower) return a.Sign() <=> 0;
  if (shift < -kLargestPower) return 0 <=> b.Sign();
  const Int128 x = Int128{a.mantissa_} * PowerOfTen(std::max<int64_t>(shift, 0));
  const Int128 y = Int128{b.mantissa_} * PowerOfTen(std::max<int64_t>(-shift, 0));
  return x < y   ? std::weak_ordering::less
         : x > y ? std::weak_ordering::greater
                 : std::weak_ordering::equivalent;
}

bool IsIdentical(const Quantity& a, const Quantity& b) {
  if (a.rare_ == nullptr && b.rare_ == nullptr && a.mantissa_ == b.mantissa_ &&
      a.exponent_ == b.exponent_ && a.format_ == b.format_)
    return true;
  return a.ToString() == b.ToString();
}

}  // namespace berth::quantity
