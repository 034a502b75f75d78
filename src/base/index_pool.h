#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth::base {

// Items with dense, stable indices. The index of a freed item is reused for a new one.
template <class Item>
class IndexPool {
 public:
  uint32_t Make(Item item) {
    if (free_.empty()) {
      items_.push_back(std::move(item));
      return static_cast<uint32_t>(items_.size() - 1);
    }
    const uint32_t index = free_.back();
    free_.pop_back();
    items_[index] = std::move(item);
    return index;
  }
  void Free(uint32_t index) {
    items_[index] = Item{};
    free_.push_back(index);
  }

  Item& operator[](uint32_t index) { return items_[index]; }
  const Item& operator[](uint32_t index) const { return items_[index]; }

  // An exclusive upper bound of all indices handed out so far.
  size_t bound() const { return items_.size(); }
  size_t size() const { return items_.size() - free_.size(); }

 private:
  std::vector<Item> items_;
  std::vector<uint32_t> free_;
};

}  // namespace berth::base
