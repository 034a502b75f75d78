#include "schema/json_text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace berth::schema {
namespace {

constexpr bool NeedsEscape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

constexpr std::array<bool, 256> kNeedsEscape = [] {
  std::array<bool, 256> table{};
  for (size_t c = 0; c < table.size(); ++c) table[c] = NeedsEscape(static_cast<unsigned char>(c));
  return table;
}();

constexpr uint64_t EveryByte(unsigned char c) { return 0x0101010101010101ull * c; }

// Whether any of the eight bytes is below `limit`, which must be at most 128.
constexpr bool AnyBelow(uint64_t bytes, unsigned char limit) {
  return ((bytes - EveryByte(limit)) & ~bytes & EveryByte(0x80)) != 0;
}

constexpr bool AnyEquals(uint64_t bytes, unsigned char c) {
  return AnyBelow(bytes ^ EveryByte(c), 1);
}

// The first byte in [at, end) that must be escaped, or end.
const char* SkipClean(const char* at, const char* end) {
  while (end - at >= 8) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    if (AnyBelow(bytes, 0x20) || AnyEquals(bytes, '"') || AnyEquals(bytes, '\\')) break;
    at += 8;
  }
  while (at != end && !kNeedsEscape[static_cast<unsigned char>(*at)]) ++at;
  return at;
}

void AppendEscape(std::string& out, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

template <class Integer>
void AppendDecimal(std::string& out, Integer value) {
  std::array<char, 20> digits;  // "-9223372036854775808" and "18446744073709551615"
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void AppendJsonEscaped(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    const char* const dirty = SkipClean(at, end);
    out.append(at, dirty);
    if (dirty == end) return;
    AppendEscape(out, static_cast<unsigned char>(*dirty));
    at = dirty + 1;
  }
}

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  AppendJsonEscaped(out, text);
  out += '"';
}

void AppendInt(std::string& out, int64_t value) { AppendDecimal(out, value); }
void AppendUint(std::string& out, uint64_t value) { AppendDecimal(out, value); }

}  // namespace berth::schema
