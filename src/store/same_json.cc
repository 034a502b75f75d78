#include "store/same_json.h"

#include <algorithm>

namespace berth::store {

bool SameJson(const json::value& a, const json::value& b) {
  if (a.is_object() && b.is_object()) return SameJson(a.get_object(), b.get_object());
  if (a.is_array() && b.is_array())
    return std::ranges::equal(
        a.get_array(), b.get_array(),
        [](const json::value& x, const json::value& y) { return SameJson(x, y); });
  return !a.is_structured() && a == b;
}

bool SameJson(const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  // Most often the members stand in the same order.
  auto beside = b.begin();
  return std::ranges::all_of(a, [&](const json::key_value_pair& member) {
    const auto other = beside++;
    const json::value* there =
        other->key() == member.key() ? &other->value() : b.if_contains(member.key());
    return there != nullptr && SameJson(member.value(), *there);
  });
}

}  // namespace berth::store
