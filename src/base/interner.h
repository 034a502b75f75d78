#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/ids.h"

namespace berth::base {

// Assigns each distinct name a dense id, in order of first use. Ids are never reused. Lookup is
// O(log n) by name and O(1) by id; iteration order never depends on a hash.
template <class IdType>
class Interner {
 public:
  Interner() = default;
  // Not copyable: the map's keys point into names_. Moving keeps the strings in place.
  Interner(Interner&&) noexcept = default;
  Interner& operator=(Interner&&) noexcept = default;

  IdType Intern(std::string_view name) {
    if (auto it = ids_.find(name); it != ids_.end()) return it->second;
    const IdType id(static_cast<uint32_t>(names_.size()));
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);
    return id;
  }

  // None if the name was never interned.
  IdType Find(std::string_view name) const {
    auto it = ids_.find(name);
    return it == ids_.end() ? IdType::None() : it->second;
  }

  const std::string& Name(IdType id) const {
    CHECK(id.index() < names_.size());
    return names_[id.index()];
  }

  size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // a deque, because the keys of ids_ point into it
  std::map<std::string_view, IdType, std::less<>> ids_;
};

}  // namespace berth::base
