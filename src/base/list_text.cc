#include "base/list_text.h"

#include <algorithm>

namespace berth::base {

std::string ListText(std::span<const std::string> names, const ListStyle& style) {
  const size_t shown = std::min(names.size(), style.most);
  const size_t more = std::max(style.total, names.size()) - shown;
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == shown && more == 0;
    if (i > 0) text += is_last ? style.last : style.separator;
    text += names[i];
  }
  if (more == 0) return text;
  const bool is_alternative = style.last == " or ";
  return text + (is_alternative ? " or " : " and ") + std::to_string(more) + " more";
}

std::string CountText(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace berth::base
