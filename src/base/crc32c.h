#pragma once

#include <cstdint>
#include <string_view>

namespace berth::base {

// CRC-32C (Castagnoli), as in iSCSI and ext4: detects torn and flipped bytes, not forgery.
uint32_t Crc32c(std::string_view bytes);

}  // namespace berth::base
