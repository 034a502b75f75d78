#include "base/sha1.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace berth::base {
namespace {

constexpr size_t kBlockSize = 64;
using State = std::array<uint32_t, 5>;

uint32_t LoadBigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

std::array<uint32_t, 80> Schedule(const uint8_t* block) {
  std::array<uint32_t, 80> words;
  for (size_t i = 0; i < 16; ++i) words[i] = LoadBigEndian(block + 4 * i);
  for (size_t i = 16; i < words.size(); ++i) {
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  return words;
}

// Twenty rounds with one function and constant.
template <class Function>
void Rounds(State& s, const uint32_t* words, uint32_t constant, Function function) {
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

void Absorb(State& state, const uint8_t* block) {
  constexpr auto kChoose = [](uint32_t b, uint32_t c, uint32_t d) { return (b & c) | (~b & d); };
  constexpr auto kParity = [](uint32_t b, uint32_t c, uint32_t d) { return b ^ c ^ d; };
  constexpr auto kMajority = [](uint32_t b, uint32_t c, uint32_t d) {
    return (b & c) | (b & d) | (c & d);
  };
  const auto words = Schedule(block);
  State next = state;
  Rounds(next, words.data(), 0x5A827999, kChoose);
  Rounds(next, words.data() + 20, 0x6ED9EBA1, kParity);
  Rounds(next, words.data() + 40, 0x8F1BBCDC, kMajority);
  Rounds(next, words.data() + 60, 0xCA62C1D6, kParity);
  for (size_t i = 0; i < state.size(); ++i) state[i] += next[i];
}

// The rest of the bytes, a 1 bit, zeros, and the length in bits.
void AbsorbEnd(State& state, std::string_view rest, uint64_t total_bytes) {
  std::array<uint8_t, 2 * kBlockSize> end{};
  if (!rest.empty()) std::memcpy(end.data(), rest.data(), rest.size());
  end[rest.size()] = 0x80;
  const size_t size = rest.size() + 9 <= kBlockSize ? kBlockSize : 2 * kBlockSize;
  const uint64_t bits = total_bytes * 8;
  for (size_t i = 0; i < 8; ++i) end[size - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
  for (size_t at = 0; at < size; at += kBlockSize) Absorb(state, end.data() + at);
}

}  // namespace

Sha1Digest Sha1(std::string_view bytes) {
  State state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  std::string_view rest = bytes;
  for (; rest.size() >= kBlockSize; rest.remove_prefix(kBlockSize)) {
    Absorb(state, reinterpret_cast<const uint8_t*>(rest.data()));
  }
  AbsorbEnd(state, rest, bytes.size());
  Sha1Digest digest;
  for (size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

std::string Sha1Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(40);
  for (uint8_t byte : Sha1(bytes)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace berth::base
