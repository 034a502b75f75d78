#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

// Text for a terminal: what comes from files may hold anything, and a terminal must not act on it.
std::string Printable(std::string_view text);

}  // namespace berth::cli
