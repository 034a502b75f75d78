#include "base/index_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/pairing_heap.h"

namespace berth::base {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<uint32_t> Elements(const std::vector<HeapLinks>& links, const IndexList& list) {
  std::vector<uint32_t> elements;
  for (uint32_t i = list.front; i != IndexList::kNone; i = links[i].next) elements.push_back(i);
  return elements;
}

TEST(IndexList, PushFrontPrepends) {
  std::vector<HeapLinks> links(3);
  IndexList list;
  EXPECT_TRUE(list.empty());
  for (const uint32_t i : {1u, 0u, 2u}) PushFront(links, list, i);
  EXPECT_THAT(Elements(links, list), ElementsAre(2, 0, 1));
}

TEST(IndexList, UnlinksAtAnyPosition) {
  std::vector<HeapLinks> links(5);
  IndexList list;
  for (const uint32_t i : {0u, 1u, 2u, 3u, 4u}) PushFront(links, list, i);
  Unlink(links, list, 2);
  EXPECT_THAT(Elements(links, list), ElementsAre(4, 3, 1, 0));
  Unlink(links, list, 4);
  EXPECT_THAT(Elements(links, list), ElementsAre(3, 1, 0));
  Unlink(links, list, 0);
  EXPECT_THAT(Elements(links, list), ElementsAre(3, 1));
  Unlink(links, list, 3);
  Unlink(links, list, 1);
  EXPECT_THAT(Elements(links, list), IsEmpty());
  PushFront(links, list, 3);
  EXPECT_THAT(Elements(links, list), ElementsAre(3));
}

}  // namespace
}  // namespace berth::base
