#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace berth::base {

// A vector of trivially copyable values with inline storage for the first kInline elements. clear()
// keeps the capacity. Movable, not copyable.
template <class T, uint32_t kInline>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  InlineVector() = default;
  InlineVector(InlineVector&& other) noexcept { *this = std::move(other); }
  InlineVector& operator=(InlineVector&& other) noexcept {
    more_ = std::move(other.more_);
    few_ = other.few_;
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInline);
    return *this;
  }

  void push_back(T value) {
    if (size_ == capacity_) Grow();
    data()[size_++] = value;
  }
  // Precondition: not empty.
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return more_ ? more_.get() : few_.data(); }
  const T* data() const { return more_ ? more_.get() : few_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }

 private:
  void Grow() {
    auto larger = std::make_unique<T[]>(size_t{capacity_} * 2);
    std::copy(begin(), end(), larger.get());
    more_ = std::move(larger);
    capacity_ *= 2;
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  std::unique_ptr<T[]> more_;  // null while the elements fit inline
  std::array<T, kInline> few_;
};

}  // namespace berth::base
