#include "webhook_server/json_patch.h"

#include <gtest/gtest.h>

#include "apiserver/patch/patch.h"

namespace berth::webhook_server {
namespace {

std::string PatchText(const char* before, const char* after) {
  return json::Print(JsonPatchBetween(*json::Parse(before), *json::Parse(after)));
}

TEST(JsonPatch, ContainsOnlyDifferences) {
  EXPECT_EQ(PatchText(R"({"a":1,"b":{"c":1,"d":2}})", R"({"b":{"c":3,"d":2,"e":[1]}})"),
            R"([{"op":"remove","path":"/a"},{"op":"replace","path":"/b/c","value":3},)"
            R"({"op":"add","path":"/b/e","value":[1]}])");
  EXPECT_EQ(PatchText(R"({"a":1})", R"({"a":1})"), "[]");
}

TEST(JsonPatch, ReplacesListsAsAWhole) {
  EXPECT_EQ(PatchText(R"({"a":[1,2]})", R"({"a":[1]})"),
            R"([{"op":"replace","path":"/a","value":[1]}])");
}

TEST(JsonPatch, EscapesKeys) {
  EXPECT_EQ(PatchText(R"({})", R"({"a/b~c":1})"), R"([{"op":"add","path":"/a~1b~0c","value":1}])");
}

TEST(JsonPatch, TransformsOneValueIntoTheOther) {
  const auto before = *json::Parse(R"({"a":{"x/y":1,"z":{}},"b":[{"c":1}],"d":null})");
  const auto after = *json::Parse(R"({"a":{"z":{"q":"w"}},"b":[],"e":{"f":[]}})");
  const auto patched = apiserver::ApplyJsonPatch(before, JsonPatchBetween(before, after));
  ASSERT_TRUE(patched);
  EXPECT_EQ(*patched, after);
}

}  // namespace
}  // namespace berth::webhook_server
