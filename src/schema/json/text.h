#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Primitives of JSON text, shared by all encoders. Optimized: clean runs are found eight bytes at a
// time and copied whole.
namespace berth::schema {

// Whether a character must be escaped in a JSON string.
constexpr bool NeedsEscape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Sets the high bit of each byte that must be escaped in a JSON string. A byte below n borrows its
// high bit when n is subtracted; bytes from 0x80 on, which already have that bit, are masked out.
// Bits above the lowest set bit may be false positives.
template <class Word>
constexpr Word SpecialBytes(Word bytes) {
  constexpr Word kOnes = static_cast<Word>(0x0101010101010101u);
  const Word control = bytes - kOnes * 0x20;
  const Word quote = (bytes ^ kOnes * '"') - kOnes;
  const Word backslash = (bytes ^ kOnes * '\\') - kOnes;
  return (control | quote | backslash) & ~bytes & (kOnes * 0x80);
}
template <class Word>
constexpr bool HoldsSpecial(Word bytes) {
  return SpecialBytes(bytes) != 0;
}

// Appends `text` as a JSON string, quotes included. Escapes only what JSON requires: the quote, the
// backslash and control characters below 0x20 (\b \f
//  \r \t, otherwise \u00XX). Other bytes are copied, so valid UTF-8 stays valid and readable.
void AppendJsonString(std::string& out, std::string_view text);

// Without the quotes, for strings composed of pieces.
void AppendJsonEscaped(std::string& out, std::string_view text);

void AppendInt(std::string& out, int64_t value);
void AppendUint(std::string& out, uint64_t value);

}  // namespace berth::schema
