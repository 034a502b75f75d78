#pragma once

// Fast conversion of scalars in compact JSON. Each function takes the start of a value and returns
// its end, or null if the value needs the careful reader. The text ends with a NUL, behind which 16
// bytes must be readable.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "schema/json/text.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace berth::schema {

// The first byte from `at` on that is not allowed unescaped in a JSON string: a quote, a backslash
// or a control character.
#ifdef __SSE2__
inline const char* FindSpecial(const char* at) {
  while (true) {
    __m128i bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    const __m128i special = _mm_or_si128(_mm_or_si128(quote, backslash), control);
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (found != 0) return at + std::countr_zero(found);
    at += sizeof bytes;
  }
}
#else
inline const char* FindSpecial(const char* at) {
  static_assert(std::endian::native == std::endian::little, "bytes are counted from the low end");
  while (true) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    const uint64_t special = SpecialBytes(bytes);
    if (special != 0) return at + std::countr_zero(special) / 8;
    at += sizeof bytes;
  }
}
#endif

// Assigns a part of the text to a string.
inline void AssignPart(std::string& target, const char* text, size_t size) {
  constexpr size_t kShort = 15;  // fits in a string without allocation
  if (size > kShort) {
    target = std::string(text, size);
    return;
  }
  target.resize_and_overwrite(kShort, [=](char* data, size_t) {
    std::memcpy(data, text, kShort);
    return size;
  });
}

const char* ReadEscapedString(const char* at, std::string& target);

[[gnu::always_inline]] inline const char* ReadString(const char* at, std::string& target) {
  if (*at != '"') return nullptr;
  const char* const end = FindSpecial(at + 1);
  if (*end != '"') return ReadEscapedString(at, target);
  AssignPart(target, at + 1, static_cast<size_t>(end - at - 1));
  return end + 1;
}

// The text of a string without escapes. Sets `at` to null if there is none.
inline std::string_view TakePlainString(const char*& at) {
  const char* const begin = at + 1;
  const char* const end = *at == '"' ? FindSpecial(begin) : at;
  if (*at != '"' || *end != '"') return at = nullptr, std::string_view();
  at = end + 1;
  return {begin, end};
}

template <class Integer>
const char* ReadInteger(const char* at, Integer& target) {
  const bool is_negative = *at == '-';
  const char* const digits = at + (is_negative ? 1 : 0);
  uint64_t value = 0;
  for (at = digits; *at >= '0' && *at <= '9'; ++at)
    value = value * 10 + static_cast<uint64_t>(*at - '0');
  constexpr std::ptrdiff_t kMostDigits = 18;  // always fit in an int64
  const std::ptrdiff_t count = at - digits;
  if (count == 0 || count > kMostDigits || (*digits == '0' && count > 1)) return nullptr;
  const auto magnitude = static_cast<int64_t>(value);
  const int64_t signed_value = is_negative ? -magnitude : magnitude;
  target = static_cast<Integer>(signed_value);
  return target == signed_value ? at : nullptr;
}

template <size_t kSize>
bool StartsWith(const char* at, const char (&word)[kSize]) {
  return std::memcmp(at, word, kSize - 1) == 0;
}

inline const char* ReadBool(const char* at, bool& target) {
  target = StartsWith(at, "true");
  if (target) return at + 4;
  return StartsWith(at, "false") ? at + 5 : nullptr;
}

// Skip a value.
const char* SkipEscapedString(const char* at);
inline const char* SkipString(const char* at) {
  if (*at != '"') return nullptr;
  const char* const end = FindSpecial(at + 1);
  return *end == '"' ? end + 1 : SkipEscapedString(at);
}
const char* SkipNumber(const char* at);

}  // namespace berth::schema
