#pragma once

#include <optional>
#include <string>
#include <string_view>

// What `!!binary` needs.
namespace berth::schema {

// Padded base64 in the standard alphabet; line ends in it do not count. Nullopt if it is not that.
std::optional<std::string> DecodeBase64(std::string_view text);

// JSON text is UTF-8: each byte that belongs to no character becomes U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace berth::schema
