#pragma once

#include <optional>
#include <string_view>

namespace berth::apiserver {

// True if the text has the named schema format: date-time, date, duration, uuid, email, hostname,
// ipv4, ipv6, cidr, mac, uri, byte. Nullopt for formats that are not checked.
std::optional<bool> HasFormat(std::string_view text, std::string_view format);

}  // namespace berth::apiserver
