#include "store/same_json.h"

#include <gtest/gtest.h>

#include "store/json_pool.h"

namespace berth::store {
namespace {

bool Same(std::string_view a, std::string_view b) {
  const auto first = ParseJson(a), second = ParseJson(b);
  EXPECT_EQ(SameJson(*first, *second), SameJson(*second, *first));
  EXPECT_EQ(SameJson(*first, *second), *first == *second);
  return SameJson(*first, *second);
}

TEST(SameJson, LooksAtEverythingButTheOrderOfMembers) {
  EXPECT_TRUE(Same(R"({"a":1,"b":{"c":[1,"x",null]}})", R"({"b":{"c":[1,"x",null]},"a":1})"));
  EXPECT_FALSE(Same(R"({"a":1})", R"({"a":2})"));
  EXPECT_FALSE(Same(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(Same(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(Same(R"({"a":[1,2]})", R"({"a":[2,1]})"));
  EXPECT_FALSE(Same(R"({"a":[1]})", R"({"a":[1,1]})"));
}

TEST(SameJson, TellsKindsApart) {
  EXPECT_FALSE(Same("{}", "[]"));
  EXPECT_FALSE(Same("{}", "null"));
  EXPECT_FALSE(Same("1", "\"1\""));
  EXPECT_TRUE(Same("18446744073709551615", "18446744073709551615"));
}

// As long as Boost copies what it compares: trees in a pool would fill it.
TEST(SameJson, TakesNoMemory) {
  class Counting final : public json::memory_resource {
   public:
    int count = 0;

   private:
    void* do_allocate(size_t bytes, size_t) override { return ++count, ::operator new(bytes); }
    void do_deallocate(void* at, size_t, size_t) override { ::operator delete(at); }
    bool do_is_equal(const json::memory_resource& other) const noexcept override {
      return this == &other;
    }
  } memory;
  const auto tree = ParseJsonIn(&memory, R"({"a":{"b":{"c":"a text that is not short at all"}}})");
  const int before = memory.count;
  EXPECT_TRUE(SameJson(*tree, *tree));
  EXPECT_EQ(memory.count, before);
}

}  // namespace
}  // namespace berth::store
