#include "schema/json/text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

namespace berth::schema {
namespace {

template <class Word>
uint64_t Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The first byte in [at, end) that must be escaped, or end.
const char* SkipClean(const char* at, const char* end) {
  while (end - at >= 8 && !HoldsSpecial(Load<uint64_t>(at))) at += 8;
  while (at != end && !NeedsEscape(*at)) ++at;
  return at;
}

// The last word of each length may overlap the previous one.
bool IsClean(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() < 4) return SkipClean(at, end) == end;
  if (text.size() < 8) {
    return !HoldsSpecial(Load<uint32_t>(at) | Load<uint32_t>(end - 4) << 32);
  }
  for (; end - at > 8; at += 8) {
    if (HoldsSpecial(Load<uint64_t>(at))) return false;
  }
  return !HoldsSpecial(Load<uint64_t>(end - 8));
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
  if (!IsClean(text)) {
    out += '"';
    AppendJsonEscaped(out, text);
    out += '"';
    return;
  }
  // The size passed to the operation may be the capacity (GCC 12), so the size is computed here.
  const size_t at = out.size(), size = at + text.size() + 2;
  out.resize_and_overwrite(size, [=](char* data, size_t) {
    data[at] = '"';
    text.copy(data + at + 1, text.size());
    data[size - 1] = '"';
    return size;
  });
}

void AppendInt(std::string& out, int64_t value) { AppendDecimal(out, value); }
void AppendUint(std::string& out, uint64_t value) { AppendDecimal(out, value); }

}  // namespace berth::schema
