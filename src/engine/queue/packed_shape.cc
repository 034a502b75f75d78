#include "engine/queue/packed_shape.h"

#include <algorithm>

#include "base/hash_index.h"

namespace berth::engine {
namespace {

using base::MixHash;

template <class Number>
uint64_t MixNumber(uint64_t hash, Number number) {
  return MixHash(hash, static_cast<uint64_t>(number));
}

template <class PodSet>
uint64_t MixPodSet(uint64_t hash, const PodSet& pod_set) {
  hash = MixNumber(hash, pod_set.count);
  hash = MixNumber(hash, pod_set.full_count);
  hash = MixNumber(hash, pod_set.min_count.has_value());
  hash = MixNumber(hash, pod_set.min_count.value_or(0));
  hash = MixNumber(hash, pod_set.group);
  hash = MixNumber(hash, pod_set.requests.size());
  for (const Request& request : pod_set.requests)
    hash = MixNumber(MixNumber(MixNumber(hash, request.resource.value()), request.amount),
                     request.shared);
  hash = MixNumber(hash, pod_set.mismatches.size());
  for (const FlavorMismatch& mismatch : pod_set.mismatches)
    hash = MixNumber(MixNumber(hash, mismatch.flavor.value()), mismatch.why);
  return hash;
}

template <class AnyShape>
uint64_t Hash(const AnyShape& shape) {
  uint64_t hash = MixNumber(shape.key.high, shape.key.low);
  hash = MixNumber(hash, shape.priority);
  hash = MixNumber(hash, shape.pod_sets.size());
  for (const auto& pod_set : shape.pod_sets) hash = MixPodSet(hash, pod_set);
  return hash;
}

bool IsEqual(const PodSetView& a, const PodSetSpec& b) {
  return a.count == b.count && a.full_count == b.full_count && a.min_count == b.min_count &&
         a.group == b.group && std::ranges::equal(a.requests, b.requests) &&
         std::ranges::equal(a.mismatches, b.mismatches);
}

size_t CountBytes(const Shape& shape) {
  size_t bytes = sizeof(packed::Header);
  for (const PodSetSpec& pod_set : shape.pod_sets)
    bytes += sizeof(packed::PodSet) + pod_set.requests.size() * sizeof(Request) +
             pod_set.mismatches.size() * sizeof(FlavorMismatch);
  return bytes;
}

// Writes values consecutively.
class Packer {
 public:
  explicit Packer(std::byte* at) : at_(at) {}

  template <class T>
  void Write(const T& value) {
    new (at_) T(value);
    at_ += sizeof(T);
  }

 private:
  std::byte* at_;
};

}  // namespace

PackedShape::PackedShape(const Shape& shape)
    : bytes_(std::make_unique_for_overwrite<std::byte[]>(CountBytes(shape))) {
  Packer packer(bytes_.get());
  packer.Write(packed::Header{shape.key, shape.priority, shape.pod_sets.size()});
  packed::PodSet packed{};
  for (const PodSetSpec& p : shape.pod_sets) {
    packed.count = p.count;
    packed.full_count = p.full_count;
    packed.min_count = p.min_count.value_or(0);
    packed.group = p.group;
    packed.requests_end += static_cast<uint32_t>(p.requests.size());
    packed.mismatches_end += static_cast<uint32_t>(p.mismatches.size()) & 0x7FFFFFFFu;
    packed.has_min_count = p.min_count.has_value();
    packer.Write(packed);
  }
  for (const PodSetSpec& p : shape.pod_sets)
    for (const Request& request : p.requests) packer.Write(request);
  for (const PodSetSpec& p : shape.pod_sets)
    for (const FlavorMismatch& mismatch : p.mismatches) packer.Write(mismatch);
}

bool operator==(const ShapeView& packed, const Shape& shape) {
  if (packed.key != shape.key || packed.priority != shape.priority ||
      packed.pod_sets.size() != shape.pod_sets.size())
    return false;
  for (size_t i = 0; i < shape.pod_sets.size(); ++i)
    if (!IsEqual(packed.pod_sets[i], shape.pod_sets[i])) return false;
  return true;
}

Shape Unpacked(const ShapeView& packed) {
  Shape shape{.pod_sets = {}, .priority = packed.priority, .key = packed.key};
  for (const PodSetView& p : packed.pod_sets)
    shape.pod_sets.push_back({.count = p.count,
                              .full_count = p.full_count,
                              .min_count = p.min_count,
                              .group = p.group,
                              .requests = {p.requests.begin(), p.requests.end()},
                              .mismatches = {p.mismatches.begin(), p.mismatches.end()}});
  return shape;
}

uint64_t HashOf(const Shape& shape) { return Hash(shape); }
uint64_t HashOf(const ShapeView& shape) { return Hash(shape); }

}  // namespace berth::engine
