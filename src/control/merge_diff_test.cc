#include "control/merge_diff.h"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

std::string Diff(std::string_view before, std::string_view after) {
  const auto patch =
      MergePatchBetween(store::ParseJson(before).value(), store::ParseJson(after).value());
  return patch ? store::PrintJson(*patch) : "nothing";
}

TEST(AMergePatch, SaysOnlyWhatChanged) {
  EXPECT_EQ(Diff(R"({"a": 1, "b": {"c": 2, "d": 3}})", R"({"a": 1, "b": {"c": 2, "d": 4}})"),
            R"({"b":{"d":4}})");
}

TEST(AMergePatch, TakesAwayWithNull) {
  EXPECT_EQ(Diff(R"({"a": 1, "b": {"c": 2}})", R"({"b": {}})"), R"({"a":null,"b":{"c":null}})");
}

TEST(AMergePatch, ReplacesListsAsAWhole) {
  EXPECT_EQ(Diff(R"({"a": [1, 2]})", R"({"a": [1, 3]})"), R"({"a":[1,3]})");
}

TEST(AMergePatch, IsNoneBetweenEquals) {
  EXPECT_EQ(Diff(R"({"a": {"b": [1]}, "c": "x"})", R"({"c": "x", "a": {"b": [1]}})"), "nothing");
}

}  // namespace
}  // namespace berth::control
