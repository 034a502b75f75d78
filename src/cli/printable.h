#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

// Escapes control characters, so that file contents cannot control the terminal.
std::string Printable(std::string_view text);
// The same, but keeps line ends and tabs.
std::string PrintableLines(std::string_view text);

}  // namespace berth::cli
