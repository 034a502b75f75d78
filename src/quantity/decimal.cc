#include "quantity/decimal.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace berth::quantity {
namespace {

using base::Int128;

std::strong_ordering CompareMagnitudes(const Decimal& a, const Decimal& b) {
  if (a.Magnitude() != b.Magnitude()) return a.Magnitude() <=> b.Magnitude();
  return a.digits().compare(b.digits()) <=> 0;
}

// Both operands of these functions end at the same power of ten.
std::string AddDigits(std::string_view a, std::string_view b) {
  std::string sum(std::max(a.size(), b.size()) + 1, '0');
  int carry = 0;
  for (size_t i = 0; i < sum.size(); ++i) {
    if (i < a.size()) carry += a[a.size() - 1 - i] - '0';
    if (i < b.size()) carry += b[b.size() - 1 - i] - '0';
    sum[sum.size() - 1 - i] = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  return sum;
}

// Precondition: a >= b.
std::string SubtractDigits(std::string_view a, std::string_view b) {
  std::string difference(a);
  int borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    int digit = a[a.size() - 1 - i] - '0' - borrow;
    if (i < b.size()) digit -= b[b.size() - 1 - i] - '0';
    borrow = digit < 0 ? 1 : 0;
    difference[a.size() - 1 - i] = static_cast<char>('0' + digit + borrow * 10);
  }
  return difference;
}

std::string MultiplyDigits(std::string_view a, std::string_view b) {
  std::vector<uint32_t> columns(a.size() + b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j)
      columns[i + j + 1] += static_cast<uint32_t>((a[i] - '0') * (b[j] - '0'));
  }
  std::string product(columns.size(), '0');
  uint32_t carry = 0;
  for (size_t i = columns.size(); i-- > 0;) {
    carry += columns[i];
    product[i] = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  return product;
}

}  // namespace

Decimal::Decimal(bool is_negative, std::string digits, int64_t exponent)
    : is_negative_(is_negative), digits_(std::move(digits)), exponent_(exponent) {
  Normalize();
}

Decimal Decimal::FromInt(Int128 value, int64_t exponent) {
  std::string digits;
  const bool is_negative = value < 0;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (is_negative ? -digit : digit));
  }
  std::reverse(digits.begin(), digits.end());
  return Decimal(is_negative, std::move(digits), exponent);
}

std::optional<Decimal> Decimal::FromDigits(bool is_negative, std::string_view whole,
                                           std::string_view fraction, int64_t exponent) {
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  if (whole.empty())
    fraction.remove_prefix(std::min(fraction.find_first_not_of('0'), fraction.size()));
  const auto trim_end = [&exponent](std::string_view& digits) {
    const size_t kept = digits.find_last_not_of('0') + 1;
    exponent += static_cast<int64_t>(digits.size() - kept);
    digits = digits.substr(0, kept);
  };
  trim_end(fraction);
  if (fraction.empty()) trim_end(whole);
  if (whole.size() + fraction.size() > kMaxDigits) return std::nullopt;
  return Decimal(is_negative, std::string(whole).append(fraction), exponent);
}

void Decimal::Normalize() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  const size_t kept = digits_.find_last_not_of('0') + 1;
  exponent_ += static_cast<int64_t>(digits_.size() - kept);
  digits_.resize(kept);
  if (digits_.size() > kMaxDigits) KeepDigits(kMaxDigits);
  if (digits_.empty()) *this = Decimal();
}

// Rounds away from zero to `count` digits. Precondition: there are more.
void Decimal::KeepDigits(size_t count) {
  exponent_ += static_cast<int64_t>(digits_.size() - count);
  digits_.resize(count);
  IncrementLastDigit();
  Normalize();
}

void Decimal::IncrementLastDigit() {
  for (size_t i = digits_.size(); i-- > 0;) {
    if (digits_[i] != '9') {
      ++digits_[i];
      return;
    }
    digits_[i] = '0';
  }
  digits_.insert(digits_.begin(), '1');
}

std::string Decimal::DigitsDownTo(int64_t exponent) const {
  return digits_ + std::string(static_cast<size_t>(exponent_ - exponent), '0');
}

std::optional<int64_t> Decimal::DigitsAsInt64() const {
  constexpr size_t kLongestInt64 = 19;
  if (digits_.size() > kLongestInt64) return std::nullopt;
  Int128 value = 0;
  for (const char digit : digits_) value = value * 10 + (digit - '0');
  if (is_negative_) value = -value;
  if (value != static_cast<int64_t>(value)) return std::nullopt;
  return static_cast<int64_t>(value);
}

int64_t Decimal::SaturatingInt64(int64_t exponent) const {
  constexpr int64_t kLongestInt64 = 19;
  using Limits = std::numeric_limits<int64_t>;
  const Decimal rounded = RoundedAwayFromZero(exponent);
  if (rounded.is_zero()) return 0;
  Int128 value = 0;
  if (rounded.Magnitude() - exponent > kLongestInt64) {
    return is_negative_ ? Limits::min() : Limits::max();
  }
  for (const char digit : rounded.DigitsDownTo(exponent)) value = value * 10 + (digit - '0');
  if (is_negative_) value = -value;
  return static_cast<int64_t>(std::clamp(value, Int128{Limits::min()}, Int128{Limits::max()}));
}

Decimal Decimal::RoundedAwayFromZero(int64_t exponent) const {
  if (is_zero() || exponent_ >= exponent) return *this;
  if (Magnitude() <= exponent) return Decimal(is_negative_, "1", exponent);
  Decimal rounded = *this;
  rounded.KeepDigits(static_cast<size_t>(Magnitude() - exponent));
  return rounded;
}

Decimal Decimal::Negated() const { return Decimal(!is_negative_, digits_, exponent_); }

Decimal operator+(const Decimal& a, const Decimal& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  // Lower digits could only affect the last kept digit. Numbers that nearly cancel have no digits
  // there, so a difference is zero only for equal numbers.
  const int64_t lowest =
      std::max(a.Magnitude(), b.Magnitude()) - 1 - static_cast<int64_t>(Decimal::kMaxDigits);
  const Decimal x = a.RoundedAwayFromZero(lowest);
  const Decimal y = b.RoundedAwayFromZero(lowest);
  const int64_t end = std::min(x.exponent_, y.exponent_);
  const std::string x_digits = x.DigitsDownTo(end), y_digits = y.DigitsDownTo(end);
  if (x.is_negative_ == y.is_negative_)
    return Decimal(x.is_negative_, AddDigits(x_digits, y_digits), end);
  if (CompareMagnitudes(x, y) >= 0)
    return Decimal(x.is_negative_, SubtractDigits(x_digits, y_digits), end);
  return Decimal(y.is_negative_, SubtractDigits(y_digits, x_digits), end);
}

Decimal operator*(const Decimal& a, const Decimal& b) {
  return Decimal(a.is_negative_ != b.is_negative_, MultiplyDigits(a.digits_, b.digits_),
                 a.exponent_ + b.exponent_);
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& d) { return d.is_zero() ? 0 : d.is_negative() ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  return a.is_negative() ? CompareMagnitudes(b, a) : CompareMagnitudes(a, b);
}

}  // namespace berth::quantity
