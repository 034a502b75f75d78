#include "workload/sorted_json.h"

#include <gtest/gtest.h>

namespace berth::workload {
namespace {

TEST(SortedJson, OrdersMembersAtEveryDepthAndLeavesListsAlone) {
  EXPECT_EQ(SortedJson(R"({"b":[{"y":1,"x":2},3,1],"a":{"d":null,"c":true}})"),
            R"({"a":{"c":true,"d":null},"b":[{"x":2,"y":1},3,1]})");
}

TEST(SortedJson, LeavesStringsAlone) {
  EXPECT_EQ(SortedJson(R"({"b":"},{\"a\":1\\","a":"[,"})"), R"({"a":"[,","b":"},{\"a\":1\\"})");
}

TEST(SortedJson, KeepsEmptyValues) {
  EXPECT_EQ(SortedJson("{}"), "{}");
  EXPECT_EQ(SortedJson("[]"), "[]");
  EXPECT_EQ(SortedJson("-1.5e3"), "-1.5e3");
}

TEST(SortedJson, TerminatesOnInvalidJson) {
  for (const char* text : {"", "{", "[", "{\"a", "{\"a\":", "[1,", "{\"a\":1", "]", "\"\\"}) {
    EXPECT_LE(SortedJson(text).size(), 16u) << text;
  }
}

}  // namespace
}  // namespace berth::workload
