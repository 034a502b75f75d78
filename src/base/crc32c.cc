#include "base/crc32c.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace berth::base {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // reversed
constexpr size_t kStep = 8;

// By the distance of a byte from the end of a step, and its value.
constexpr std::array<std::array<uint32_t, 256>, kStep> MakeTables() {
  std::array<std::array<uint32_t, 256>, kStep> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t distance = 1; distance < kStep; ++distance)
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[distance - 1][byte];
      tables[distance][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  return tables;
}

constexpr auto kTables = MakeTables();
static_assert(std::endian::native == std::endian::little);

}  // namespace

uint32_t Crc32c(std::string_view bytes) {
  uint32_t crc = 0xffffffff;
  while (bytes.size() >= kStep) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), kStep);
    word ^= crc;
    crc = 0;
    for (size_t i = 0; i < kStep; ++i) crc ^= kTables[kStep - 1 - i][(word >> (8 * i)) & 0xff];
    bytes.remove_prefix(kStep);
  }
  for (const char c : bytes)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

}  // namespace berth::base
