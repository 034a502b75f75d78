#include "control/merge_diff.h"

namespace berth::control {

namespace json = store::json;

std::optional<json::value> MergePatchBetween(const json::value& before, const json::value& after) {
  if (before == after) return std::nullopt;
  if (!before.is_object() || !after.is_object()) return after;
  json::object patch;
  for (const auto& [key, value] : before.get_object())
    if (!after.get_object().contains(key)) patch[key] = nullptr;
  for (const auto& [key, value] : after.get_object()) {
    const json::value* old = before.get_object().if_contains(key);
    if (old == nullptr) {
      patch[key] = value;
    } else if (auto change = MergePatchBetween(*old, value)) {
      patch[key] = std::move(*change);
    }
  }
  return patch;
}

}  // namespace berth::control
