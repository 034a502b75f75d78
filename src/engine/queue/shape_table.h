#pragma once

#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "engine/ids.h"
#include "engine/queue/packed_shape.h"
#include "engine/spec.h"

namespace berth::engine {

// Interned shapes of workloads with reference counts. Ids of unreferenced shapes are reused.
class ShapeTable {
 public:
  // The id of an equal shape, with one more reference. O(size of the shape).
  ShapeId Acquire(const Shape& shape);
  // Drops one reference.
  void Release(ShapeId id);

  // Valid until the last reference is dropped.
  ShapeView operator[](ShapeId id) const { return entries_[id.index()].shape.view(); }
  void Prefetch(ShapeId id) const {
    if (!id.is_none()) entries_[id.index()].shape.Prefetch();
  }
  // The number of distinct shapes.
  size_t size() const { return index_.size(); }

 private:
  struct Entry {
    PackedShape shape;        // empty if free
    uint32_t references = 0;  // 0: free
  };

  std::vector<Entry> entries_;  // by ShapeId
  std::vector<ShapeId> free_;   // entries without references
  base::HashIndex index_;       // by content
};

}  // namespace berth::engine
