#pragma once

// Doubly linked lists over dense indices. An element is an index into a vector of links that the
// caller owns; a list is the index of its first element. Links may be any type with `next` and
// `prev`, such as HeapLinks of elements that are in no heap.

#include <cstdint>
#include <limits>
#include <vector>

namespace berth::base {

struct IndexList {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t front = kNone;

  bool empty() const { return front == kNone; }
};

// Precondition: the element is in no list.
template <class Links>
void PushFront(std::vector<Links>& links, IndexList& list, uint32_t element) {
  links[element].next = list.front;
  links[element].prev = IndexList::kNone;
  if (!list.empty()) links[list.front].prev = element;
  list.front = element;
}

// Precondition: the element is in this list. Resets its links to none.
template <class Links>
void Unlink(std::vector<Links>& links, IndexList& list, uint32_t element) {
  const uint32_t next = links[element].next, prev = links[element].prev;
  if (next != IndexList::kNone) links[next].prev = prev;
  (prev == IndexList::kNone ? list.front : links[prev].next) = next;
  links[element].next = links[element].prev = IndexList::kNone;
}

}  // namespace berth::base
