#include "json/erase.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::json {
namespace {

TEST(EraseMembers, KeepsTheOtherMembersInOrder) {
  json::value tree = *Parse(R"({"a":1,"b":null,"c":{"d":2},"e":null,"f":3})");
  std::string seen;
  EraseMembers(tree.get_object(), [&](const json::key_value_pair& member) {
    seen += View(member.key());
    return member.value().is_null();
  });
  EXPECT_EQ(seen, "abcef");
  EXPECT_EQ(Print(tree), R"({"a":1,"c":{"d":2},"f":3})");
  EraseMembers(tree.get_object(), [](const json::key_value_pair&) { return true; });
  EXPECT_EQ(Print(tree), "{}");
}

}  // namespace
}  // namespace berth::json
