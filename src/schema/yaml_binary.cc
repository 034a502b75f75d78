#include "schema/yaml_binary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace berth::schema {
namespace {

// The six bits of a base64 digit, or -1.
constexpr int Base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The length of the UTF-8 sequence that `text` begins with, or 0 if it begins with none.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf5   ? 0
                        : lead >= 0xf0 ? 4
                        : lead >= 0xe0 ? 3
                        : lead >= 0xc2 ? 2
                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool out_of_range = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
                            (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
  return out_of_range ? 0 : length;
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (padding == 2 || (padding == 1 && digits == 3) || (padding > 0 && c != '=')) return {};
    if (c == '=') {
      if (digits < 2) return {};
      ++padding;
      continue;
    }
    const int value = Base64Value(c);
    if (value < 0) return {};
    bits = (bits << 6 | static_cast<uint32_t>(value)) & 0xffffff;
    if (++digits == 4) {
      for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(bits >> shift & 0xff);
      digits = 0;
    }
  }
  if (digits == 0 && padding == 0) return out;
  if (digits + padding != 4) return {};
  bits <<= 6 * padding;
  for (int i = 0; i < digits - 1; ++i) out += static_cast<char>(bits >> (16 - 8 * i) & 0xff);
  return out;
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace berth::schema
