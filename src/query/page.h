#pragma once

#include <algorithm>
#include <cstddef>

namespace berth::query {

// A part of a list.
struct Page {
  static constexpr size_t kMost = 1000;

  size_t limit = 100;  // at most kMost
  size_t offset = 0;

  // Whether the entry with this index is in the page.
  bool Contains(size_t index) const { return index >= offset && index - offset < limit; }
  size_t end() const { return offset + std::min(limit, kMost); }
};

}  // namespace berth::query
