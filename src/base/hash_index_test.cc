#include "base/hash_index.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace berth::base {
namespace {

constexpr auto kAny = [](uint32_t) { return true; };
constexpr auto Is(uint32_t wanted) {
  return [wanted](uint32_t value) { return value == wanted; };
}

TEST(HashIndex, FindsNothingWhenEmpty) { EXPECT_EQ(HashIndex().Find(1, kAny), HashIndex::kNone); }

TEST(HashIndex, FindsByHashAndTheCallersEquality) {
  const std::vector<std::string> names = {"ada", "bob"};
  HashIndex index;
  constexpr uint64_t kSameHash = 42;
  index.Insert(kSameHash, 0);
  index.Insert(kSameHash, 1);
  const auto find = [&](const std::string& name) {
    return index.Find(kSameHash, [&](uint32_t i) { return names[i] == name; });
  };
  EXPECT_EQ(find("ada"), 0u);
  EXPECT_EQ(find("bob"), 1u);
  EXPECT_EQ(find("eve"), HashIndex::kNone);
}

TEST(HashIndex, DoesNotCallThePredicateForOtherHashes) {
  HashIndex index;
  for (uint32_t i = 0; i < 1000; ++i) index.Insert(i, i);
  int asked = 0;
  const auto count = [&](uint32_t) { return ++asked == 0; };
  EXPECT_EQ(index.Find(1'000'000, count), HashIndex::kNone);
  EXPECT_EQ(asked, 0);
}

TEST(HashIndex, EraseKeepsOtherValuesOfTheSameHash) {
  HashIndex index;
  for (uint32_t i = 0; i < 5; ++i) index.Insert(7, i);
  index.Erase(7, 2);
  EXPECT_EQ(index.size(), 4u);
  for (const uint32_t i : {0u, 1u, 3u, 4u}) EXPECT_EQ(index.Find(7, Is(i)), i);
  EXPECT_EQ(index.Find(7, Is(2)), HashIndex::kNone);
}

TEST(HashIndex, AgreesWithAMapInARandomRun) {
  Random random(3);
  HashIndex index;
  std::map<uint32_t, uint64_t> hashes;  // by value
  for (int step = 0; step < 20'000; ++step) {
    const auto value = static_cast<uint32_t>(random.Below(300));
    if (const auto it = hashes.find(value); it != hashes.end()) {
      index.Erase(it->second, value);
      hashes.erase(it);
    } else {
      // Few hashes, so that runs of cells are long and wrap around.
      hashes[value] = random.Below(40);
      index.Insert(hashes[value], value);
    }
    ASSERT_EQ(index.size(), hashes.size());
    if (step % 100 != 0) continue;
    for (const auto& [v, hash] : hashes) ASSERT_EQ(index.Find(hash, Is(v)), v) << "step " << step;
  }
}

TEST(MixHash, DependsOnTheOrderOfValues) {
  EXPECT_NE(MixHash(MixHash(0, 1), 2), MixHash(MixHash(0, 2), 1));
  EXPECT_NE(MixHash(MixHash(0, 0), 1), MixHash(0, 1));
}

TEST(MixHash, IsTheSameOnEveryMachine) { EXPECT_EQ(MixHash(1, 2), 0x4567F980C0BEB716ull); }

}  // namespace
}  // namespace berth::base
