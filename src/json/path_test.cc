#include "json/path.h"

#include <gtest/gtest.h>

#include "jobs/testing/objects.h"

namespace berth::json {
namespace {

using jobs::testing::Yaml;

TEST(Path, ReachesFieldsKeysAndElements) {
  const json::value object = Yaml("{a: {b: [{c: 1}, {c: two}], d: {x.io/y: z}}}");
  EXPECT_EQ(TextAt(object, "a.b[0].c"), "1");
  EXPECT_EQ(TextAt(object, "a.b[1].c"), "two");
  EXPECT_EQ(TextAt(object, "a.d[x.io/y]"), "z");
  EXPECT_EQ(FindAt(object, "a.b[2]"), nullptr);
  EXPECT_EQ(FindAt(object, "a.b.c"), nullptr);
  EXPECT_EQ(FindAt(object, ""), &object);
}

TEST(Path, RejectsInvalidPaths) {
  for (const char* text : {"a.", ".a", "a..b", "a[", "a[]", "a[0]b", "a[0."})
    EXPECT_FALSE(Path::Parse(text).has_value()) << text;
}

TEST(Path, CreatesMissingParents) {
  json::value object = json::object();
  *MakeAt(object, "a.b[x.io/y]") = 1;
  EXPECT_EQ(object, Yaml("{a: {b: {x.io/y: 1}}}"));
  EXPECT_EQ(MakeAt(object, "a.b[x.io/y].c"), nullptr);
  EXPECT_EQ(MakeAt(object, "a.b[0]"), nullptr);
}

TEST(Path, ErasesMembers) {
  json::value object = Yaml("{a: {b: 1, c: 2}}");
  EXPECT_TRUE(EraseAt(object, "a.b"));
  EXPECT_FALSE(EraseAt(object, "a.b"));
  EXPECT_FALSE(EraseAt(object, "x.y"));
  EXPECT_EQ(object, Yaml("{a: {c: 2}}"));
}

TEST(Path, DefinesSetValues) {
  const json::value object = Yaml(
      "{'off': false, zero: 0, empty: '', list: [], map: {}, none: null, flag: true, count: 3}");
  for (const char* path : {"off", "zero", "empty", "list", "map", "none", "absent"})
    EXPECT_FALSE(IsSetAt(object, path)) << path;
  EXPECT_TRUE(IsSetAt(object, "flag"));
  EXPECT_TRUE(IsSetAt(object, "count"));
}

TEST(Path, AcceptsIntegersInRangeOnly) {
  const json::value object = Yaml("{a: 3, b: 3.5, c: '3', d: 5000000000}");
  EXPECT_EQ(IntAt(object, "a"), 3);
  EXPECT_EQ(IntAt(object, "b"), std::nullopt);
  EXPECT_EQ(IntAt(object, "c"), std::nullopt);
  EXPECT_EQ(IntAt(object, "d"), std::nullopt);
  EXPECT_EQ(IntOf("+7"), 7);
  EXPECT_EQ(IntOf("7x"), std::nullopt);
}

}  // namespace
}  // namespace berth::json
