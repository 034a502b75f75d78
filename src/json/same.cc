#include "json/same.h"

#include <algorithm>

namespace berth::json {

bool Same(const json::value& a, const json::value& b) {
  if (a.is_object() && b.is_object()) return Same(a.get_object(), b.get_object());
  if (a.is_array() && b.is_array())
    return std::ranges::equal(
        a.get_array(), b.get_array(),
        [](const json::value& x, const json::value& y) { return Same(x, y); });
  return !a.is_structured() && a == b;
}

bool Same(const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  // Members usually have the same order.
  auto beside = b.begin();
  return std::ranges::all_of(a, [&](const json::key_value_pair& member) {
    const auto other = beside++;
    const json::value* there =
        other->key() == member.key() ? &other->value() : b.if_contains(member.key());
    return there != nullptr && Same(member.value(), *there);
  });
}

}  // namespace berth::json
