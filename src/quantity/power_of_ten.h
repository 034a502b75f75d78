#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/int128.h"

namespace berth::quantity {

// 10^0 to 10^18: the powers that fit in an int64. An int64 times any of them fits in an Int128.
inline constexpr int kLargestPower = 18;
inline constexpr auto kPowersOfTen = [] {
  std::array<int64_t, kLargestPower + 1> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();
constexpr int64_t PowerOfTen(int64_t exponent) {
  return kPowersOfTen[static_cast<size_t>(exponent)];
}

// value / divisor, rounded away from zero. Precondition: divisor > 0.
constexpr base::Int128 DivideAwayFromZero(base::Int128 value, int64_t divisor) {
  const base::Int128 quotient = value / divisor;
  if (value % divisor == 0) return quotient;
  return value < 0 ? quotient - 1 : quotient + 1;
}

}  // namespace berth::quantity
