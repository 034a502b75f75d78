#pragma once

#include <cstdint>
#include <string_view>

namespace berth::base {

inline constexpr uint64_t kFnvOffsetBasis = 0xcbf29ce484222325;

// One step of FNV-1a: `hash` with one more value, a byte or a word, mixed in.
constexpr uint64_t FnvMix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3; }

// FNV-1a in 64 bits: stable across machines and releases, and the hash that Kueue orders resources
// by. Not for untrusted keys.
constexpr uint64_t Fnv1a(std::string_view bytes) {
  uint64_t hash = kFnvOffsetBasis;
  for (const char c : bytes) hash = FnvMix(hash, static_cast<uint8_t>(c));
  return hash;
}

}  // namespace berth::base
