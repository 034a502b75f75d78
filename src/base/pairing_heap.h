#pragma once

// Pairing heaps over dense indices.
//
// The elements are indices into a vector of HeapLinks, or of a derived type, that the caller owns
// and grows. The caller also defines the element's meaning and the order. Any number of heaps share
// one vector: a heap is little more than the index of its top element, so melding two heaps moves
// no elements. Operations neither allocate nor recurse.
//
// Cost, amortized over the operations since the heap was empty: Insert and Meld O(1), MoveForward,
// Pop and Remove O(log n).

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"

namespace berth::base {

// Links of an element. All none while it is in no heap; the caller may then reuse them.
struct HeapLinks {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t child = kNone;  // first child
  uint32_t next = kNone;   // next sibling
  uint32_t prev = kNone;   // previous sibling; the parent for a first child
};

struct PairingHeap {
  static constexpr uint32_t kNone = HeapLinks::kNone;

  uint32_t top = kNone;   // the first element in the order
  uint32_t attached = 0;  // number of trees attached below this top

  bool empty() const { return top == kNone; }
};

// The next element of a walk over one heap that starts at its top; kNone after the last. The order
// is arbitrary but reproducible. The heap must not change during a walk. O(n) for the whole walk.
template <class Links>
uint32_t NextInWalk(const std::vector<Links>& links, uint32_t at) {
  constexpr uint32_t kNone = HeapLinks::kNone;
  if (links[at].child != kNone) return links[at].child;
  while (links[at].next == kNone) {
    uint32_t first = at;  // first of the siblings
    while (links[first].prev != kNone && links[links[first].prev].child != first)
      first = links[first].prev;
    at = links[first].prev;
    if (at == kNone) return kNone;
  }
  return links[at].next;
}

// Operations on heaps that share one vector of links and one order. before(a, b) is a strict weak
// order: element a comes before element b. The relative order of elements must not change while
// they are in a heap, except as MoveForward and Remove allow.
template <class Before, class Links = HeapLinks>
class PairingHeaps {
 public:
  static constexpr uint32_t kNone = HeapLinks::kNone;

  PairingHeaps(std::vector<Links>& links, Before before)
      : links_(links), before_(std::move(before)) {}

  // Precondition: the element is in no heap.
  void Insert(PairingHeap& heap, uint32_t element) { Attach(heap, element); }

  // Moves all elements of `from` into `into`.
  void Meld(PairingHeap& into, PairingHeap& from) {
    const PairingHeap other = std::exchange(from, PairingHeap{});
    const uint32_t top = Link(into.top, other.top);
    into = {.top = top, .attached = top == other.top ? other.attached : into.attached};
  }

  void Pop(PairingHeap& heap) {
    CHECK(!heap.empty());
    heap = {.top = MergeChildren(heap.top)};
  }

  // Precondition: the element is in this heap. It is not compared, so its place in the order may
  // have changed just before.
  void Remove(PairingHeap& heap, uint32_t element) {
    if (element == heap.top) return Pop(heap);
    Cut(element);
    Attach(heap, MergeChildren(element));
  }

  // Restores the heap order after the element moved to an earlier place in the order.
  void MoveForward(PairingHeap& heap, uint32_t element) {
    if (element == heap.top) return;
    Cut(element);
    Attach(heap, element);
  }

 private:
  // Links a tree, or none, with the top. Elements inserted in order would all become children of
  // one top, and the Pop of that top would pay for all of them. So children are linked with each
  // other on insertion, like the carries of a binary counter, which leaves only O(log n) children.
  void Attach(PairingHeap& heap, uint32_t tree) {
    if (tree == kNone) return;
    heap.top = Link(heap.top, tree);
    heap.attached = heap.top == tree ? 0 : heap.attached + 1;
    if (heap.attached == 0) return;
    for (int carries = std::countr_zero(heap.attached); carries > 0; --carries)
      if (!LinkFirstChildren(heap.top)) return;
  }

  // Links the first two children into one tree. Returns false if there are fewer.
  bool LinkFirstChildren(uint32_t parent) {
    uint32_t children = links_[parent].child;
    if (children == kNone || links_[children].next == kNone) return false;
    const uint32_t a = Detach(children), b = Detach(children);
    const uint32_t merged = Link(a, b);
    links_[parent].child = merged;
    links_[merged].prev = parent;
    links_[merged].next = children;
    if (children != kNone) links_[children].prev = merged;
    return true;
  }

  // Makes one of two trees the first child of the other. Either may be none.
  uint32_t Link(uint32_t a, uint32_t b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    if (before_(b, a)) std::swap(a, b);
    const uint32_t sibling = std::exchange(links_[a].child, b);
    links_[b].next = sibling;
    links_[b].prev = a;
    if (sibling != kNone) links_[sibling].prev = b;
    return a;
  }

  // Detaches a subtree from its parent.
  void Cut(uint32_t element) {
    const uint32_t prev = std::exchange(links_[element].prev, kNone);
    const uint32_t next = std::exchange(links_[element].next, kNone);
    CHECK(prev != kNone);
    (links_[prev].child == element ? links_[prev].child : links_[prev].next) = next;
    if (next != kNone) links_[next].prev = prev;
  }

  // Merges the children into one tree with the usual two passes: pairs from left to right, then all
  // of them from right to left.
  uint32_t MergeChildren(uint32_t parent) {
    uint32_t rest = std::exchange(links_[parent].child, kNone);
    uint32_t pairs = kNone;  // a stack linked through `next`
    while (rest != kNone) {
      const uint32_t a = Detach(rest);
      const uint32_t b = rest == kNone ? kNone : Detach(rest);
      const uint32_t pair = Link(a, b);
      links_[pair].next = std::exchange(pairs, pair);
    }
    uint32_t merged = kNone;
    while (pairs != kNone) merged = Link(Detach(pairs), merged);
    return merged;
  }

  // Removes the first tree of a list.
  uint32_t Detach(uint32_t& list) {
    const uint32_t first = list;
    list = std::exchange(links_[first].next, kNone);
    links_[first].prev = kNone;
    return first;
  }

  std::vector<Links>& links_;
  Before before_;
};

}  // namespace berth::base
