#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::base {

// SHA-1 (FIPS 180-4), for names and fingerprints that must match other implementations; not for
// security.
using Sha1Digest = std::array<uint8_t, 20>;
Sha1Digest Sha1(std::string_view bytes);

// The digest as 40 lower-case hexadecimal digits.
std::string Sha1Hex(std::string_view bytes);

}  // namespace berth::base
