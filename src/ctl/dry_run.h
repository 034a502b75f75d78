#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::ctl {

// --dry-run: kClient sends nothing, kServer lets the server validate without storing.
enum class DryRun : uint8_t { kNone, kClient, kServer };

inline constexpr std::array<std::string_view, 3> kDryRunNames = {"none", "client", "server"};

}  // namespace berth::ctl
