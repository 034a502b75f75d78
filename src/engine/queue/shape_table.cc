#include "engine/queue/shape_table.h"

#include "base/check.h"

namespace berth::engine {
ShapeId ShapeTable::Acquire(const Shape& shape) {
  const uint64_t hash = HashOf(shape);
  const auto is_equal = [&](uint32_t i) { return entries_[i].shape.view() == shape; };
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
  entries_[id.index()] = {.shape = PackedShape(shape), .references = 1};
  index_.Insert(hash, id.value());
  return id;
}

void ShapeTable::Release(ShapeId id) {
  Entry& entry = entries_[id.index()];
  CHECK(entry.references > 0);
  if (--entry.references > 0) return;
  index_.Erase(HashOf(entry.shape.view()), id.value());
  entry.shape = PackedShape();
  free_.push_back(id);
}

}  // namespace berth::engine
