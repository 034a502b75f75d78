#include "base/pairing_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace berth::base {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Elements are indices of numbers, in ascending order of the number; ties are broken by index.
struct Numbers {
  struct Less {
    Numbers& self;
    bool operator()(uint32_t a, uint32_t b) const {
      ++self.comparisons;
      return std::pair(self.values[a], a) < std::pair(self.values[b], b);
    }
  };

  explicit Numbers(std::vector<int64_t> numbers)
      : values(std::move(numbers)), links(values.size()), heaps(links, Less{*this}) {}

  PairingHeap HeapOf(const std::vector<uint32_t>& elements) {
    PairingHeap heap;
    for (const uint32_t element : elements) heaps.Insert(heap, element);
    return heap;
  }
  std::vector<uint32_t> Drain(PairingHeap& heap) {
    std::vector<uint32_t> order;
    while (!heap.empty()) {
      order.push_back(heap.top);
      heaps.Pop(heap);
    }
    return order;
  }

  std::vector<int64_t> values;
  std::vector<HeapLinks> links;
  uint64_t comparisons = 0;
  PairingHeaps<Less> heaps;
};

std::vector<uint32_t> Iota(uint32_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<uint32_t> Walk(const std::vector<HeapLinks>& links, const PairingHeap& heap) {
  std::vector<uint32_t> seen;
  for (uint32_t at = heap.top; at != PairingHeap::kNone; at = NextInWalk(links, at))
    seen.push_back(at);
  return seen;
}

TEST(PairingHeap, PopsElementsInOrder) {
  Numbers n({30, 10, 20, 10, 0});
  PairingHeap heap = n.HeapOf({0, 1, 2, 3, 4});
  EXPECT_THAT(n.Drain(heap), ElementsAre(4, 1, 3, 2, 0));
}

TEST(PairingHeap, IsEmptyByDefault) {
  Numbers n({});
  const PairingHeap heap;
  EXPECT_TRUE(heap.empty());
  EXPECT_THAT(Walk(n.links, heap), IsEmpty());
}

TEST(PairingHeap, RemovesAnyElement) {
  for (uint32_t removed = 0; removed < 7; ++removed) {
    Numbers n({3, 1, 4, 1, 5, 9, 2});
    PairingHeap heap = n.HeapOf(Iota(7));
    n.heaps.Pop(heap);  // the heap is now more than one level deep
    n.heaps.Insert(heap, 1);
    n.heaps.Remove(heap, removed);
    std::vector<uint32_t> expected = {1, 3, 6, 0, 2, 4, 5};
    std::erase(expected, removed);
    EXPECT_EQ(n.Drain(heap), expected) << "without " << removed;
  }
}

TEST(PairingHeap, ReinsertsRemovedElements) {
  Numbers n({3, 1, 2});
  PairingHeap heap = n.HeapOf({0, 1, 2});
  n.heaps.Remove(heap, 1);
  n.heaps.Insert(heap, 1);
  EXPECT_THAT(n.Drain(heap), ElementsAre(1, 2, 0));
}

TEST(PairingHeap, MeldsTwoHeapsWithOneComparison) {
  Numbers n({5, 3, 4, 1, 2, 0});
  PairingHeap a = n.HeapOf({0, 1, 2}), b = n.HeapOf({3, 4, 5});
  n.comparisons = 0;
  n.heaps.Meld(a, b);
  EXPECT_EQ(n.comparisons, 1u);
  EXPECT_TRUE(b.empty());
  EXPECT_THAT(n.Drain(a), ElementsAre(5, 3, 4, 1, 2, 0));
}

TEST(PairingHeap, MeldsWithAnEmptyHeapEitherWay) {
  Numbers n({2, 1});
  PairingHeap full = n.HeapOf({0, 1}), empty;
  n.heaps.Meld(full, empty);
  n.heaps.Meld(empty, full);
  EXPECT_TRUE(full.empty());
  EXPECT_THAT(n.Drain(empty), ElementsAre(1, 0));
}

TEST(PairingHeap, MoveForwardRestoresTheOrder) {
  Numbers n({10, 20, 30, 40});
  PairingHeap heap = n.HeapOf({0, 1, 2, 3});
  n.heaps.Pop(heap);
  n.values[3] = 5;
  n.heaps.MoveForward(heap, 3);
  EXPECT_THAT(n.Drain(heap), ElementsAre(3, 1, 2));
}

TEST(PairingHeap, WalkVisitsEachElementOnce) {
  Numbers n({5, 2, 8, 1, 9, 3});
  PairingHeap heap = n.HeapOf(Iota(6));
  n.heaps.Pop(heap);
  EXPECT_THAT(Walk(n.links, heap), UnorderedElementsAre(0, 1, 2, 4, 5));
}

TEST(PairingHeap, LeavesNoLinksBehind) {
  Numbers n({5, 2, 8, 1});
  PairingHeap heap = n.HeapOf(Iota(4));
  n.Drain(heap);
  EXPECT_THAT(n.links, Each(AllOf(Field(&HeapLinks::child, PairingHeap::kNone),
                                  Field(&HeapLinks::next, PairingHeap::kNone),
                                  Field(&HeapLinks::prev, PairingHeap::kNone))));
}

TEST(PairingHeap, SortsWithLogarithmicallyManyComparisons) {
  constexpr uint32_t kCount = 1 << 14;
  Random random(1);
  std::vector<int64_t> rising(kCount), falling(kCount), mixed(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    rising[i] = i;
    falling[i] = kCount - i;
    mixed[i] = random.Between(0, kCount);
  }
  for (const std::vector<int64_t>& values : {rising, falling, mixed}) {
    Numbers n(values);
    PairingHeap heap = n.HeapOf(Iota(kCount));
    n.Drain(heap);
    EXPECT_LT(n.comparisons, uint64_t{2} * kCount * std::bit_width(kCount));
  }
}

TEST(PairingHeap, NoSinglePopPaysForAllInsertions) {
  constexpr uint32_t kCount = 1 << 14;
  std::vector<int64_t> rising(kCount);
  std::iota(rising.begin(), rising.end(), 0);
  Numbers n(rising);
  PairingHeap heap = n.HeapOf(Iota(kCount));
  EXPECT_LT(n.comparisons, 2 * kCount);
  while (!heap.empty()) {
    n.comparisons = 0;
    n.heaps.Pop(heap);
    ASSERT_LT(n.comparisons, 2 * std::bit_width(kCount));
  }
}

TEST(PairingHeap, AgreesWithASortedListInARandomRun) {
  constexpr uint32_t kCount = 50;
  Random random(7);
  Numbers n{std::vector<int64_t>(kCount)};
  PairingHeap heap;
  std::vector<uint32_t> in;
  const auto before = [&](uint32_t a, uint32_t b) {
    return std::pair(n.values[a], a) < std::pair(n.values[b], b);
  };
  for (int step = 0; step < 5000; ++step) {
    const auto element = static_cast<uint32_t>(random.Below(kCount));
    if (std::erase(in, element) > 0) {
      n.heaps.Remove(heap, element);
    } else {
      n.values[element] = random.Between(0, 20);
      n.heaps.Insert(heap, element);
      in.push_back(element);
    }
    std::ranges::sort(in, before);
    ASSERT_EQ(heap.top, in.empty() ? PairingHeap::kNone : in.front()) << "step " << step;
    ASSERT_EQ(Walk(n.links, heap).size(), in.size()) << "step " << step;
  }
}

}  // namespace
}  // namespace berth::base
