#include "schema/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace berth::schema {
namespace {

struct Inner {
  int32_t count = 0;
  Extra extra;

  static const Struct& Description() {
    static constexpr Field kFields[] = {Member<&Inner::count>("count", "A count.").New()};
    static constexpr auto kStruct = Describe<Inner>("Inner", "Inner is inside.", kFields);
    return kStruct;
  }
};

struct Outer {
  std::string name;
  std::vector<Inner> list;
  std::optional<Inner> one;
  Extra extra;

  static const Struct& Description() {
    static constexpr Field kFields[] = {
        Member<&Outer::name>("name", "A name.").Default("\"x\""),
        Member<&Outer::list>("list", "Many."),
        Member<&Outer::one>("one", "One."),
    };
    static constexpr auto kStruct = Describe<Outer>("Outer", "Outer is outside.", kFields);
    return kStruct;
  }
};

TEST(Reference, DescribesEachStructOnceAtItsFirstField) {
  const auto sections = ReferenceOf(Outer::Description());
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].path, "");
  EXPECT_EQ(sections[1].path, "list[]");
  ASSERT_EQ(sections[0].fields.size(), 3u);
  EXPECT_EQ(sections[0].fields[0].default_json, "\"x\"");
  EXPECT_EQ(sections[0].fields[1].type, "list of objects");
  EXPECT_EQ(sections[0].fields[1].section, "list[]");
  EXPECT_EQ(sections[0].fields[2].section, "list[]");
  EXPECT_EQ(sections[1].fields[0].path, "list[].count");
  EXPECT_EQ(sections[1].fields[0].doc, "A count. Not in `v1beta1`.");
}

}  // namespace
}  // namespace berth::schema
