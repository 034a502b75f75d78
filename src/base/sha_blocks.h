#pragma once

// What SHA-1 and SHA-256 share: blocks of 64 bytes, numbers with the high byte first, and the way a
// message ends.

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

// Runs the whole message through `absorb(state, block)`: its blocks, then the rest of its bytes, a
// 1 bit, zeros, and its length in bits. The state, byte for byte, is the digest.
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

template <class Digest>
std::string HexOf(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace berth::base
