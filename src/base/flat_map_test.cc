#include "base/flat_map.h"

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "gtest/gtest.h"

namespace berth::base {
namespace {

TEST(FlatMapOrder, IteratesInKeyOrder) {
  const FlatMap<int> map = {{"b", 2}, {"c", 3}, {"a", 1}};
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(map, (FlatMap<int>{{"c", 3}, {"a", 1}, {"b", 2}}));
}

TEST(FlatMapLookup, FindsSetValues) {
  FlatMap<int> map = {{"cpu", 1}};
  EXPECT_EQ(*map.Find("cpu"), 1);
  EXPECT_EQ(map.Find("cp"), nullptr);
  EXPECT_EQ(map.Find("memory"), nullptr);
  EXPECT_TRUE(map.Contains("cpu"));
  EXPECT_EQ(map.ValueOrEmpty("cpu"), 1);
  EXPECT_EQ(map.ValueOrEmpty("memory"), 0);
  *map.Find("cpu") = 5;
  EXPECT_EQ(map["cpu"], 5);
}

TEST(FlatMapChange, LaterValuesReplaceEarlierOnes) {
  FlatMap<int> map = {{"cpu", 1}, {"cpu", 2}};
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(map["cpu"], 2);
  map.Set("cpu", 3);
  EXPECT_EQ(map["cpu"], 3);
}

TEST(FlatMapChange, InsertReportsNewKeys) {
  FlatMap<int> map = {{"m", 1}};
  for (const char* key : {"a", "z"}) {
    const auto [value, is_new] = map.Insert(key);
    EXPECT_TRUE(is_new);
    EXPECT_EQ(*value, 0);
    EXPECT_FALSE(map.Insert(key).second);
  }
}

TEST(FlatMapChange, EraseReportsAbsence) {
  FlatMap<int> map = {{"a", 1}, {"b", 2}};
  EXPECT_TRUE(map.Erase("a"));
  EXPECT_FALSE(map.Erase("a"));
  EXPECT_EQ(map, (FlatMap<int>{{"b", 2}}));
  map.clear();
  EXPECT_TRUE(map.empty());
}

TEST(FlatMapChange, AgreesWithStdMap) {
  Random random(5);
  FlatMap<uint64_t> map;
  std::map<std::string, uint64_t> model;
  for (int step = 0; step < 5000; ++step) {
    const std::string key = std::to_string(random.Below(40));
    if (random.Chance(3)) {
      ASSERT_EQ(map.Erase(key), model.erase(key) > 0);
    } else {
      map[key] = model[key] = random.Next();
    }
  }
  ASSERT_EQ(map.size(), model.size());
  auto expected = model.begin();
  for (const auto& [key, value] : map) {
    EXPECT_EQ(key, expected->first);
    EXPECT_EQ(value, (expected++)->second);
  }
}

}  // namespace
}  // namespace berth::base
