#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::base {

// Bytes as lower-case hexadecimal digits, two for each byte.
template <class Bytes>
std::string LowerHex(const Bytes& bytes) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const uint8_t byte : bytes) {
    text += kHexDigits[byte >> 4];
    text += kHexDigits[byte & 15];
  }
  return text;
}

}  // namespace berth::base
