#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/prefetch.h"

namespace berth::base {

// Mixes a value into a hash. Identical on every machine; not resistant to chosen collisions.
constexpr uint64_t MixHash(uint64_t hash, uint64_t value) {
  constexpr uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  hash = (std::rotl(hash + kOdd, 23) ^ value) *
         kOdd;  // adding kOdd makes a value of 0 change the hash
  return hash ^ (hash >> 32);
}

// Maps hashes to numbers, usually indices into a vector that the caller owns. The caller also
// defines equality. There is no iteration, so no decision can depend on hash order.
//
// Open addressing with linear probing, load factor at most 3/4, 8 bytes per cell. Erase shifts
// later cells back, so there are no tombstones and lookups do not degrade over time.
class HashIndex {
 public:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  // The value under this hash for which is_wanted(value) is true; kNone if there is none.
  template <class IsWanted>
  uint32_t Find(uint64_t hash, IsWanted is_wanted) const {
    if (cells_.empty()) return kNone;
    const uint32_t tag = Tag(hash);
    for (size_t at = Home(tag); cells_[at].value != kNone; at = Next(at))
      if (cells_[at].tag == tag && is_wanted(cells_[at].value)) return cells_[at].value;
    return kNone;
  }

  // Prefetches the cell for an upcoming Find.
  void Prefetch(uint64_t hash) const {
    if (!cells_.empty()) PrefetchLine(&cells_[Home(Tag(hash))]);
  }

  // Precondition: value != kNone. Duplicate hashes are allowed.
  void Insert(uint64_t hash, uint32_t value) {
    CHECK(value != kNone);
    if ((size_ + 1) * 4 > cells_.size() * 3) Grow();
    Place({.tag = Tag(hash), .value = value});
    ++size_;
  }

  // Precondition: the value was inserted under this hash.
  void Erase(uint64_t hash, uint32_t value) {
    CHECK(!cells_.empty());
    size_t hole = Home(Tag(hash));
    while (cells_[hole].value != value) {
      CHECK(cells_[hole].value != kNone);
      hole = Next(hole);
    }
    for (size_t at = Next(hole); cells_[at].value != kNone; at = Next(at)) {
      const bool reaches_hole = Distance(Home(cells_[at].tag), at) >= Distance(hole, at);
      if (reaches_hole) cells_[std::exchange(hole, at)] = cells_[at];
    }
    cells_[hole] = Cell{};
    --size_;
  }

  size_t size() const { return size_; }

 private:
  struct Cell {
    uint32_t tag = 0;
    uint32_t value = kNone;
  };

  // The stored part of the hash; enough for 2^32 cells.
  static uint32_t Tag(uint64_t hash) { return static_cast<uint32_t>(MixHash(0, hash) >> 16); }
  size_t Home(uint32_t tag) const { return tag & (cells_.size() - 1); }
  size_t Next(size_t at) const { return (at + 1) & (cells_.size() - 1); }
  size_t Distance(size_t from, size_t to) const { return (to - from) & (cells_.size() - 1); }

  void Place(Cell cell) {
    size_t at = Home(cell.tag);
    while (cells_[at].value != kNone) at = Next(at);
    cells_[at] = cell;
  }

  void Grow() {
    constexpr size_t kSmallest = 8;
    const std::vector<Cell> old = std::exchange(cells_, {});
    cells_.resize(old.empty() ? kSmallest : old.size() * 2);
    for (const Cell& cell : old)
      if (cell.value != kNone) Place(cell);
  }

  std::vector<Cell> cells_;  // size is a power of two
  size_t size_ = 0;
};

}  // namespace berth::base
