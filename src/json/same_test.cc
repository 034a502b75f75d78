#include "json/same.h"

#include <gtest/gtest.h>

#include "json/pool.h"

namespace berth::json {
namespace {

bool AreSame(std::string_view a, std::string_view b) {
  const auto first = Parse(a), second = Parse(b);
  EXPECT_EQ(Same(*first, *second), Same(*second, *first));
  EXPECT_EQ(Same(*first, *second), *first == *second);
  return Same(*first, *second);
}

TEST(Same, IgnoresTheOrderOfMembersOnly) {
  EXPECT_TRUE(AreSame(R"({"a":1,"b":{"c":[1,"x",null]}})", R"({"b":{"c":[1,"x",null]},"a":1})"));
  EXPECT_FALSE(AreSame(R"({"a":1})", R"({"a":2})"));
  EXPECT_FALSE(AreSame(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(AreSame(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(AreSame(R"({"a":[1,2]})", R"({"a":[2,1]})"));
  EXPECT_FALSE(AreSame(R"({"a":[1]})", R"({"a":[1,1]})"));
}

TEST(Same, DistinguishesTypes) {
  EXPECT_FALSE(Same("{}", "[]"));
  EXPECT_FALSE(Same("{}", "null"));
  EXPECT_FALSE(Same("1", "\"1\""));
  EXPECT_TRUE(Same("18446744073709551615", "18446744073709551615"));
}

// Boost's == copies objects, which would fill a pool.
TEST(Same, DoesNotAllocate) {
  class Counting final : public boost::json::memory_resource {
   public:
    int count = 0;

   private:
    void* do_allocate(size_t bytes, size_t) override { return ++count, ::operator new(bytes); }
    void do_deallocate(void* at, size_t, size_t) override { ::operator delete(at); }
    bool do_is_equal(const boost::json::memory_resource& other) const noexcept override {
      return this == &other;
    }
  } memory;
  const auto tree = ParseIn(&memory, R"({"a":{"b":{"c":"a text that is not short at all"}}})");
  const int before = memory.count;
  EXPECT_TRUE(Same(*tree, *tree));
  EXPECT_EQ(memory.count, before);
}

}  // namespace
}  // namespace berth::json
