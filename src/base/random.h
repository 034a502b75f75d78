#pragma once

#include <cstdint>

namespace berth::base {

// A seeded generator (SplitMix64) for tests, simulations and benchmarks. The same seed gives the
// same numbers on every machine, which the standard distributions do not guarantee.
class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound); bound must be positive. The bias is below bound / 2^64.
  constexpr uint64_t Below(uint64_t bound) { return Next() % bound; }
  // Uniform in [low, high].
  constexpr int64_t Between(int64_t low, int64_t high) {
    // Unsigned, since the full range of int64 does not fit in int64.
    const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (width == 0 ? Next() : Below(width)));
  }
  constexpr bool Chance(uint64_t one_in) { return Below(one_in) == 0; }

 private:
  uint64_t state_;
};

}  // namespace berth::base
