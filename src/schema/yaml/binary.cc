#include "schema/yaml/binary.h"

#include <algorithm>
#include <cstddef>

namespace berth::schema {
namespace {

// The length of the UTF-8 sequence at the start of `text`, or 0 if invalid.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf5   ? 0
                        : lead >= 0xf0 ? 4
                        : lead >= 0xe0 ? 3
                        : lead >= 0xc2 ? 2
                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool out_of_range = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
                            (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
  return out_of_range ? 0 : length;
}

}  // namespace

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace berth::schema
