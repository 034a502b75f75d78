#include "engine/shape_table.h"

#include <utility>

#include "base/check.h"

namespace berth::engine {
namespace {

using base::MixHash;

template <class Number>
uint64_t MixNumber(uint64_t hash, Number number) {
  return MixHash(hash, static_cast<uint64_t>(number));
}

uint64_t MixPodSet(uint64_t hash, const PodSetSpec& pod_set) {
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

uint64_t HashOf(const Shape& shape) {
  uint64_t hash = MixNumber(shape.key.high, shape.key.low);
  hash = MixNumber(hash, shape.priority);
  hash = MixNumber(hash, shape.pod_sets.size());
  for (const PodSetSpec& pod_set : shape.pod_sets) hash = MixPodSet(hash, pod_set);
  return hash;
}

// There may be a million of them, and they never grow.
void Shrink(Shape& shape) {
  shape.pod_sets.shrink_to_fit();
  for (PodSetSpec& pod_set : shape.pod_sets) {
    pod_set.requests.shrink_to_fit();
    pod_set.mismatches.shrink_to_fit();
  }
}

}  // namespace

ShapeId ShapeTable::Acquire(Shape shape) {
  const uint64_t hash = HashOf(shape);
  const auto is_equal = [&](uint32_t i) { return entries_[i].shape == shape; };
  if (const uint32_t found = index_.Find(hash, is_equal); found != base::HashIndex::kNone) {
    ++entries_[found].references;
    return ShapeId(found);
  }
  if (free_.empty()) {
    free_.push_back(ShapeId(static_cast<uint32_t>(entries_.size())));
    entries_.emplace_back();
  }
  const ShapeId id = free_.back();
  free_.pop_back();
  Shrink(shape);
  entries_[id.index()] = {.shape = std::move(shape), .references = 1};
  index_.Insert(hash, id.value());
  return id;
}

void ShapeTable::Release(ShapeId id) {
  Entry& entry = entries_[id.index()];
  CHECK(entry.references > 0);
  if (--entry.references > 0) return;
  index_.Erase(HashOf(entry.shape), id.value());
  entry.shape = Shape{};
  free_.push_back(id);
}

}  // namespace berth::engine
