#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "json/json.h"

namespace berth::json {

// Erases the members for which the predicate, called once for each in order, holds. The others keep
// their order. Linear, unlike erasing them one by one.
template <class Predicate>
void EraseMembers(json::object& object, Predicate is_erased) {
  std::vector<bool> stays;
  size_t count = 0;
  for (auto& member : object) {
    stays.push_back(!is_erased(member));
    count += stays.back() ? 1 : 0;
  }
  if (count == object.size()) return;
  json::object kept(object.storage());
  kept.reserve(count);
  for (size_t i = 0; auto& member : object)
    if (stays[i++]) kept.emplace(member.key(), std::move(member.value()));
  object = std::move(kept);
}

}  // namespace berth::json
