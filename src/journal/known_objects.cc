#include "journal/known_objects.h"

#include <utility>

namespace berth::journal {

KnownObjects::Key KnownObjects::KeyOf(const Upsert& object) {
  return {object.api_version, object.kind, object.namespace_, object.name};
}

KnownObjects::Key KnownObjects::KeyOf(const Removal& object) {
  return {object.api_version, object.kind, object.namespace_, object.name};
}

KnownObjects::Text KnownObjects::BaseOf(const Key& key, size_t part) const {
  static const Text kNothing = std::make_shared<const std::string>();
  const auto in = [&](const auto& map, const auto& at) {
    const auto found = map.find(at);
    return found == map.end() || found->second.size() <= part ? nullptr : found->second[part];
  };
  if (const Text before = in(objects_, key)) return before;
  const Text similar = in(newest_, KindKey{std::get<0>(key), std::get<1>(key)});
  return similar ? similar : kNothing;
}

void KnownObjects::Set(const Key& key, const std::vector<std::string>& parts) {
  Parts shared;
  for (size_t i = 0; i < parts.size(); ++i) {
    Text base = BaseOf(key, i);
    shared.push_back(parts[i] == *base ? std::move(base)
                                       : std::make_shared<const std::string>(parts[i]));
  }
  const auto [position, is_new] = objects_.insert_or_assign(key, shared);
  if (is_new) newest_[{std::get<0>(key), std::get<1>(key)}] = std::move(shared);
}

void KnownObjects::Clear() {
  objects_.clear();
  newest_.clear();
}

}  // namespace berth::journal
