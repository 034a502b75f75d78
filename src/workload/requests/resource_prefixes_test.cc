#include "workload/requests/resource_prefixes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/kueue/resource_prefix.h"
#include "base/random.h"

namespace berth::workload {
namespace {

TEST(ExclusionPrefixes, MatchNothingIfEmpty) {
  const std::vector<std::string> list{""};
  EXPECT_EQ(ResourcePrefixes(list).Find("cpu"), nullptr);
  EXPECT_TRUE(ResourcePrefixes(list).empty());
}

TEST(ExclusionPrefixes, FindTheLongestMatch) {
  const ResourcePrefixes prefixes(std::vector<std::string>{
      "example.com", "example.", "example.com/gpu", "example.com/g", "zeta", "alpha"});
  EXPECT_EQ(*prefixes.Find("example.com/gpu"), "example.com/gpu");
  EXPECT_EQ(*prefixes.Find("example.com/gpus"), "example.com");
  EXPECT_EQ(*prefixes.Find("example.community/x"), "example.");
  EXPECT_EQ(prefixes.Find("exam"), nullptr);
  EXPECT_EQ(prefixes.Find("zz"), nullptr);
  EXPECT_EQ(prefixes.Find("a"), nullptr);
}

TEST(ExclusionPrefixes, OfBytesMatchEveryNameThatBeginsWithThem) {
  const ResourcePrefixes prefixes(std::vector<std::string>{"example.com", "mem", "example"},
                                  api::PrefixMatch::kBytes);
  EXPECT_EQ(*prefixes.Find("example.community/x"), "example.com");
  EXPECT_EQ(*prefixes.Find("memory"), "mem");
  EXPECT_EQ(prefixes.Find("cpu"), nullptr);
  const ResourcePrefixes all(std::vector<std::string>{""}, api::PrefixMatch::kBytes);
  EXPECT_NE(all.Find("cpu"), nullptr);
}

// Names over few letters, so that many begin with each other.
std::string RandomName(base::Random& random) {
  std::string name;
  for (uint64_t i = random.Below(6); i > 0; --i) name += "ab/-."[random.Below(5)];
  return name;
}

TEST(ExclusionPrefixes, AgreeWithTheRuleForEach) {
  base::Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> list;
    for (uint64_t i = random.Below(12); i > 0; --i) list.push_back(RandomName(random));
    const ResourcePrefixes prefixes(list);
    const std::string resource = RandomName(random);
    const bool is_meant = std::ranges::any_of(
        list, [&](const std::string& prefix) { return api::PrefixExcludes(prefix, resource); });
    const std::string* found = prefixes.Find(resource);
    ASSERT_EQ(found != nullptr, is_meant) << resource;
    if (found != nullptr) {
      ASSERT_TRUE(api::PrefixExcludes(*found, resource)) << *found;
    }
  }
}

TEST(ExclusionPrefixes, AreSharedByQueuesWithTheSameList) {
  ResourcePrefixPool pool;
  const auto first = pool.Share(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(pool.Share(std::vector<std::string>{"b", "a", "a"}), first);
  EXPECT_NE(pool.Share(std::vector<std::string>{"a"}), first);
}

TEST(ExclusionPrefixes, AreCollectedWhenUnused) {
  ResourcePrefixPool pool;
  const auto kept = pool.Share(std::vector<std::string>{"kept"});
  for (int i = 0; i < 1000; ++i) pool.Share(std::vector<std::string>{"p" + std::to_string(i)});
  EXPECT_LT(pool.size(), 100u);
  EXPECT_EQ(pool.Share(std::vector<std::string>{"kept"}), kept);
}

}  // namespace
}  // namespace berth::workload
