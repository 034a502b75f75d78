#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::base {

// SHA-256 (FIPS 180-4), for fingerprints that must match other implementations. Code that guards
// secrets uses OpenSSL.
using Sha256Digest = std::array<uint8_t, 32>;
Sha256Digest Sha256(std::string_view bytes);

// The digest as 64 lower-case hexadecimal digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace berth::base
