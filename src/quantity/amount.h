#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace berth::quantity {

// Arithmetic on requests and usage. Saturates at the limits of int64 instead of wrapping. Requests
// have no "unlimited": the largest int64 is an ordinary number.
constexpr int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}
constexpr int64_t SaturatingSub(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}
constexpr int64_t SaturatingMul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<int64_t>::min()
                            : std::numeric_limits<int64_t>::max();
}
// The share of `total` split over `count`, truncated toward zero. A count of 0 returns the total.
constexpr int64_t SaturatingDiv(int64_t total, int64_t count) {
  if (count == 0) return total;
  return count == -1 ? SaturatingSub(0, total) : total / count;
}

// An amount of quota: nominal quota, a limit, available quota. All quota arithmetic uses this type,
// so no sum can wrap around.
//
// The largest int64 represents "unlimited", which is sticky: adding to it or subtracting a bounded
// amount leaves it unlimited, and a bounded sum that overflows upwards becomes unlimited. Two
// differences are defined so that "is anything left?" (> 0) has the safe answer: unlimited -
// unlimited is 0, and bounded - unlimited is the lowest amount.
//
// Arithmetic with an int64 is for usage and requests, whose largest value is an ordinary number:
// subtracting it from a bounded amount is a plain difference, and unlimited compares greater.
class Amount {
 public:
  constexpr Amount() = default;
  explicit constexpr Amount(int64_t value) : value_(value) {}

  static constexpr Amount Unlimited() { return Amount(std::numeric_limits<int64_t>::max()); }
  static constexpr Amount Lowest() { return Amount(std::numeric_limits<int64_t>::min()); }

  constexpr bool is_unlimited() const { return *this == Unlimited(); }
  // Unlimited is the largest int64. For output (metrics, text), never for sums.
  constexpr int64_t value() const { return value_; }

  friend constexpr Amount operator+(Amount a, Amount b) {
    if (a.is_unlimited() || b.is_unlimited()) return Unlimited();
    return Amount(SaturatingAdd(a.value_, b.value_));
  }
  friend constexpr Amount operator-(Amount a, Amount b) {
    if (b.is_unlimited()) return a.is_unlimited() ? Amount() : Lowest();
    return a - b.value_;
  }
  friend constexpr Amount operator+(Amount a, int64_t b) {
    return a.is_unlimited() ? a : Amount(SaturatingAdd(a.value_, b));
  }
  friend constexpr Amount operator-(Amount a, int64_t b) {
    return a.is_unlimited() ? a : Amount(SaturatingSub(a.value_, b));
  }
  template <class T>
  constexpr Amount& operator+=(T b) {
    return *this = *this + b;
  }
  template <class T>
  constexpr Amount& operator-=(T b) {
    return *this = *this - b;
  }

  friend constexpr bool operator==(Amount, Amount) = default;
  friend constexpr std::strong_ordering operator<=>(Amount, Amount) = default;
  friend constexpr bool operator==(Amount a, int64_t b) { return (a <=> b) == 0; }
  friend constexpr std::strong_ordering operator<=>(Amount a, int64_t b) {
    return a.is_unlimited() ? std::strong_ordering::greater : a.value_ <=> b;
  }

 private:
  int64_t value_ = 0;
};

constexpr Amount Min(Amount a, Amount b) { return b < a ? b : a; }
constexpr Amount Max(Amount a, Amount b) { return a < b ? b : a; }

// The number, or "<unlimited>".
std::string ToString(Amount amount);

}  // namespace berth::quantity
