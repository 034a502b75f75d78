#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The two smallest pieces of JSON text. Every encoder is built on them, so they are quick: clean
// runs are found eight bytes at a time and copied whole.
namespace berth::schema {

// Whether a character cannot stand in a JSON string as it is.
constexpr bool NeedsEscape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// The high bit of each byte that cannot stand in a JSON string as it is. A byte below n borrows its
// high bit when n is subtracted; those from 0x80 on, which have that bit already, are masked out.
// Behind the lowest bit that is set others may be so wrongly.
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

// Appends `text` as a JSON string, quotes included. Escapes what JSON demands and nothing else:
// the quote, the backslash and control characters below 0x20 (\b \f \n \r \t, else \u00XX). Other
// bytes pass through, so valid UTF-8 stays valid and readable.
void AppendJsonString(std::string& out, std::string_view text);

// The same without the quotes, for strings that are put together from pieces.
void AppendJsonEscaped(std::string& out, std::string_view text);

// Appends the number in decimal.
void AppendInt(std::string& out, int64_t value);
void AppendUint(std::string& out, uint64_t value);

}  // namespace berth::schema
