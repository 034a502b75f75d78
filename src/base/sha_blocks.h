#pragma once

// Shared by SHA-1 and SHA-256: blocks of 64 bytes, big-endian numbers and the message padding.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace berth::base {

inline constexpr size_t kShaBlockSize = 64;

inline uint32_t LoadBigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

// Feeds the whole message to `absorb(state, block)`: its full blocks, then the remaining bytes, a 1
// bit, zeros, and the length in bits. The final state in big-endian order is the digest.
template <class Digest, class State, class Absorb>
Digest DigestOf(std::string_view message, State state, Absorb absorb) {
  std::array<uint8_t, 2 * kShaBlockSize> bytes{};
  std::string_view rest = message;
  for (; rest.size() >= kShaBlockSize; rest.remove_prefix(kShaBlockSize)) {
    std::memcpy(bytes.data(), rest.data(), kShaBlockSize);
    absorb(state, bytes.data());
  }
  bytes.fill(0);
  if (!rest.empty()) std::memcpy(bytes.data(), rest.data(), rest.size());
  bytes[rest.size()] = 0x80;
  const size_t size = rest.size() + 9 <= kShaBlockSize ? kShaBlockSize : 2 * kShaBlockSize;
  const uint64_t bits = uint64_t{message.size()} * 8;
  for (size_t i = 0; i < 8; ++i) bytes[size - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
  for (size_t at = 0; at < size; at += kShaBlockSize) absorb(state, bytes.data() + at);
  Digest digest;
  for (size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace berth::base
