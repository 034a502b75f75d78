#include "cli/printable.h"

namespace berth::cli {

namespace {

std::string Escaped(std::string_view text, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && kept.find(c) == std::string_view::npos) || byte == 0x7F) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return Escaped(text, ""); }

std::string PrintableLines(std::string_view text) { return Escaped(text, "\n\t"); }

}  // namespace berth::cli
