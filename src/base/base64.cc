#include "base/base64.h"

#include <cstddef>
#include <cstdint>

namespace berth::base {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The six bits of a base64 digit, or -1.
constexpr int DigitValue(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 3 ? bytes.size() : 3)) {
    const std::string_view group = bytes.substr(0, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? static_cast<uint8_t>(group[i]) : 0u);
    for (size_t i = 0; i < 4; ++i)
      text += i <= group.size() ? kBase64Digits[bits >> (18 - 6 * i) & 0x3f] : '=';
  }
  return text;
}

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
    const int value = DigitValue(c);
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

}  // namespace berth::base
