#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace berth::engine::testing {

// Choices of a random walk, taken from the input of a fuzzer: one byte each, 0 at the end.
class ByteChoices {
 public:
  ByteChoices(const uint8_t* data, size_t size) : rest_(data, size) {}

  bool empty() const { return rest_.empty(); }

  // A number below `bound`.
  uint64_t Next(uint64_t bound) {
    if (rest_.empty()) return 0;
    const uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte % bound;
  }

 private:
  std::span<const uint8_t> rest_;
};

}  // namespace berth::engine::testing
