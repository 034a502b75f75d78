#pragma once

#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "engine/ids.h"
#include "engine/packed_shape.h"
#include "engine/spec.h"

namespace berth::engine {

// The shapes of the workloads: equal ones are kept once. A shape lives as long as somebody refers
// to it; after that its id is given to another.
class ShapeTable {
 public:
  // The id of a shape equal to this one, with one reference more. O(size of the shape).
  ShapeId Acquire(const Shape& shape);
  // One reference less.
  void Release(ShapeId id);

  // Good until the shape's last reference goes.
  ShapeView operator[](ShapeId id) const { return entries_[id.index()].shape.view(); }
  // It will be looked at soon.
  void Prefetch(ShapeId id) const {
    if (!id.is_none()) entries_[id.index()].shape.Prefetch();
  }
  // How many different shapes there are.
  size_t size() const { return index_.size(); }

 private:
  struct Entry {
    PackedShape shape;        // of a free one, none
    uint32_t references = 0;  // 0: free
  };

  std::vector<Entry> entries_;  // by ShapeId
  std::vector<ShapeId> free_;   // of entries without references
  base::HashIndex index_;       // by content
};

}  // namespace berth::engine
