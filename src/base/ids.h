#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace berth::base {

// A dense index typed by its domain: an Id<struct QueueTag> does not convert to an Id<struct
// FlavorTag>. The default is "none".
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(uint32_t value) : value_(value) {}

  static constexpr Id None() { return Id(); }
  constexpr bool is_none() const { return value_ == kNone; }
  constexpr uint32_t value() const { return value_; }
  constexpr size_t index() const { return value_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint32_t value_ = kNone;
};

}  // namespace berth::base
