#pragma once

// Lists and counts in messages.

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace berth::base {

struct ListStyle {
  std::string_view separator = ", ";
  std::string_view last = ", ";  // before the last name of a complete list, such as " and "
  size_t most = std::numeric_limits<size_t>::max();  // names shown
  size_t total = 0;  // if larger than the list, which then has the first names only
};

// "a, b, c"; "a, b and 3 more" if not all names are shown.
std::string ListText(std::span<const std::string> names, const ListStyle& style = {});

// "1 pod", "2 pods".
std::string CountText(size_t count, std::string_view noun);

}  // namespace berth::base
