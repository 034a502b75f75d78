#include "base/sha1.h"

#include <bit>
#include <cstddef>

#include "base/hex.h"
#include "base/sha_blocks.h"

namespace berth::base {
namespace {

using Sha1State = std::array<uint32_t, 5>;

std::array<uint32_t, 80> Sha1Schedule(const uint8_t* block) {
  std::array<uint32_t, 80> words;
  for (size_t i = 0; i < 16; ++i) words[i] = LoadBigEndian(block + 4 * i);
  for (size_t i = 16; i < words.size(); ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  return words;
}

// Twenty rounds with one function and constant.
template <class Function>
void Rounds(Sha1State& s, const uint32_t* words, uint32_t constant, Function function) {
  auto& [a, b, c, d, e] = s;
  for (size_t i = 0; i < 20; ++i) {
    const uint32_t next = std::rotl(a, 5) + function(b, c, d) + e + constant + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
}

void AbsorbSha1(Sha1State& state, const uint8_t* block) {
  constexpr auto kChoose = [](uint32_t b, uint32_t c, uint32_t d) { return (b & c) | (~b & d); };
  constexpr auto kParity = [](uint32_t b, uint32_t c, uint32_t d) { return b ^ c ^ d; };
  constexpr auto kMajority = [](uint32_t b, uint32_t c, uint32_t d) {
    return (b & c) | (b & d) | (c & d);
  };
  const auto words = Sha1Schedule(block);
  Sha1State next = state;
  Rounds(next, words.data(), 0x5A827999, kChoose);
  Rounds(next, words.data() + 20, 0x6ED9EBA1, kParity);
  Rounds(next, words.data() + 40, 0x8F1BBCDC, kMajority);
  Rounds(next, words.data() + 60, 0xCA62C1D6, kParity);
  for (size_t i = 0; i < state.size(); ++i) state[i] += next[i];
}

}  // namespace

Sha1Digest Sha1(std::string_view bytes) {
  constexpr Sha1State kStart = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  return DigestOf<Sha1Digest>(bytes, kStart, AbsorbSha1);
}

std::string Sha1Hex(std::string_view bytes) { return LowerHex(Sha1(bytes)); }

}  // namespace berth::base
