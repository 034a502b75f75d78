#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/fnv.h"
#include "base/hash_index.h"

namespace berth::base {

// Names with dense ids, as long as they are referred to. Unlike that of an Interner, the id of a
// name ends with its last reference, and a new name may get it. Names cost about 60 bytes each.
template <class IdType>
class NamePool {
 public:
  // The id of the name, with one more reference.
  IdType Acquire(std::string_view name) {
    IdType id = Find(name);
    if (id.is_none()) id = Add(name);
    ++entries_[id.index()].references;
    return id;
  }
  IdType Acquire(IdType id) {
    CHECK(!id.is_none() && entries_[id.index()].references > 0);
    ++entries_[id.index()].references;
    return id;
  }
  void Release(IdType id) {
    Entry& entry = entries_[id.index()];
    CHECK(entry.references > 0);
    if (--entry.references > 0) return;
    ids_.Erase(Fnv1a(entry.name), id.value());
    entry.name = {};
    free_.push_back(id);
  }

  // None if there is no such name now.
  IdType Find(std::string_view name) const {
    const uint32_t found =
        ids_.Find(Fnv1a(name), [&](uint32_t id) { return entries_[id].name == name; });
    return found == HashIndex::kNone ? IdType::None() : IdType(found);
  }
  const std::string& Name(IdType id) const { return entries_[id.index()].name; }
  size_t size() const { return entries_.size() - free_.size(); }

 private:
  struct Entry {
    std::string name;
    uint32_t references = 0;
  };

  IdType Add(std::string_view name) {
    IdType id(static_cast<uint32_t>(entries_.size()));
    if (free_.empty()) {
      entries_.emplace_back();
    } else {
      id = free_.back();
      free_.pop_back();
    }
    entries_[id.index()].name = std::string(name);
    ids_.Insert(Fnv1a(name), id.value());
    return id;
  }

  std::deque<Entry> entries_;  // a deque, because a growing vector needs twice the memory
  HashIndex ids_;              // by name
  std::vector<IdType> free_;
};

}  // namespace berth::base
