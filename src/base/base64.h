#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::base {

// Base64 (RFC 4648) in the standard alphabet, padded.

// On one line.
std::string EncodeBase64(std::string_view bytes);

// Line ends in the text are ignored. Nullopt if the text is not padded base64.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace berth::base
