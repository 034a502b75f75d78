#pragma once

// A Shape in one allocation: there may be a million distinct ones, and every decision reads one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/prefetch.h"
#include "engine/spec.h"

namespace berth::engine {

// A podset of a packed shape, with the fields of PodSetSpec.
struct PodSetView {
  int32_t count = 0;
  int32_t full_count = 0;
  std::optional<int32_t> min_count;
  int32_t group = 0;
  std::span<const Request> requests;
  std::span<const FlavorMismatch> mismatches;
};

// The podsets of a packed shape, unpacked lazily.
class PodSetViews {
 public:
  class Iterator {
   public:
    using value_type = PodSetView;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const std::byte* bytes, size_t at) : bytes_(bytes), at_(at) {}
    PodSetView operator*() const { return PodSetViews(bytes_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {bytes_, at_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const std::byte* bytes_ = nullptr;
    size_t at_ = 0;
  };

  PodSetViews() = default;
  size_t size() const;
  PodSetView operator[](size_t i) const;
  Iterator begin() const { return {bytes_, 0}; }
  Iterator end() const { return {bytes_, size()}; }

 private:
  friend class PackedShape;
  explicit PodSetViews(const std::byte* bytes) : bytes_(bytes) {}

  const std::byte* bytes_ = nullptr;
};

// A packed shape with the fields of Shape. Valid as long as the PackedShape.
struct ShapeView {
  PodSetViews pod_sets;
  int64_t priority = 0;
  EquivalenceKey key;
};

class PackedShape {
 public:
  PackedShape() = default;
  explicit PackedShape(const Shape& shape);

  // Precondition: not default-constructed.
  ShapeView view() const;
  void Prefetch() const {
    base::PrefetchLine(bytes_.get());
    base::PrefetchLine(bytes_.get() + base::kCacheLine);
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

bool operator==(const ShapeView& packed, const Shape& shape);

// The original shape.
Shape Unpacked(const ShapeView& packed);

// Equal for equal shapes, packed or not.
uint64_t HashOf(const Shape& shape);
uint64_t HashOf(const ShapeView& shape);

// --- Layout --------------------------------------------------------------------------------------

// A header, the podsets, the requests of all podsets, the mismatches of all podsets.
namespace packed {

struct Header {
  EquivalenceKey key;
  int64_t priority;
  uint64_t pod_sets;  // count
};
struct PodSet {
  int32_t count;
  int32_t full_count;
  int32_t min_count;
  int32_t group;
  uint32_t requests_end;  // end index in the requests of all podsets
  uint32_t mismatches_end : 31;
  uint32_t has_min_count : 1;
};
static_assert(alignof(Request) <= alignof(Header) && sizeof(Header) % alignof(Request) == 0 &&
              sizeof(PodSet) % alignof(Request) == 0);

inline const Header& HeaderOf(const std::byte* bytes) {
  return *reinterpret_cast<const Header*>(bytes);
}
inline const PodSet* PodSetsOf(const std::byte* bytes) {
  return reinterpret_cast<const PodSet*>(bytes + sizeof(Header));
}

}  // namespace packed

inline size_t PodSetViews::size() const { return packed::HeaderOf(bytes_).pod_sets; }

inline PodSetView PodSetViews::operator[](size_t i) const {
  const packed::PodSet* all = packed::PodSetsOf(bytes_);
  const packed::PodSet* end = all + size();
  const auto* requests = reinterpret_cast<const Request*>(end);
  const auto* mismatches = reinterpret_cast<const FlavorMismatch*>(requests + end[-1].requests_end);
  const packed::PodSet& at = all[i];
  const uint32_t first_request = i == 0 ? 0 : all[i - 1].requests_end;
  const uint32_t first_mismatch = i == 0 ? 0 : all[i - 1].mismatches_end;
  return {.count = at.count,
          .full_count = at.full_count,
          .min_count = at.has_min_count ? std::optional<int32_t>(at.min_count) : std::nullopt,
          .group = at.group,
          .requests = {requests + first_request, requests + at.requests_end},
          .mismatches = {mismatches + first_mismatch, mismatches + at.mismatches_end}};
}

inline ShapeView PackedShape::view() const {
  const packed::Header& header = packed::HeaderOf(bytes_.get());
  return {.pod_sets = PodSetViews(bytes_.get()), .priority = header.priority, .key = header.key};
}

}  // namespace berth::engine
