#include "schema/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using testing::Cart;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// The (field, cause) pairs of a cart given as JSON.
std::vector<std::pair<std::string, std::string>> Causes(std::string_view json,
                                                        std::string_view old_json = {}) {
  const Cart cart = Decode<Cart>(json).value();
  std::optional<Cart> old;
  if (!old_json.empty()) old = Decode<Cart>(old_json).value();
  std::vector<std::pair<std::string, std::string>> causes;
  for (const Problem& p : Validate(cart, old ? &*old : nullptr))
    causes.emplace_back(p.field, CauseOf(p.type));
  return causes;
}

TEST(Validate, AcceptsValuesWithinBounds) {
  EXPECT_THAT(Causes(R"({"name":"a","colour":"Red","wheels":[{"name":"l","spokes":64}]})"),
              IsEmpty());
}

TEST(Validate, ReportsEveryBoundAtOnce) {
  EXPECT_THAT(
      Causes(R"({"name":"A","colour":"Rd","miles":-1,"wheels":[{"name":"","spokes":65}],
                         "tags":["12345"]})"),
      ElementsAre(Pair("name", "FieldValueInvalid"), Pair("colour", "FieldValueNotSupported"),
                  Pair("miles", "FieldValueInvalid"), Pair("wheels[0].name", "FieldValueInvalid"),
                  Pair("wheels[0].spokes", "FieldValueInvalid"),
                  Pair("tags[0]", "FieldValueTooLong")));
}

TEST(Validate, CountsCharactersNotBytes) {
  EXPECT_THAT(Causes(R"({"name":"a","tags":["éééé"]})"), IsEmpty());
}

TEST(Validate, FindsRepeatedKeysAndSetEntries) {
  EXPECT_THAT(Causes(R"({"name":"a","wheels":[{"name":"l"},{"name":"l"}],
                         "tags":["x","x"]})"),
              ElementsAre(Pair("wheels[1]", "FieldValueDuplicate"),
                          Pair("tags[1]", "FieldValueDuplicate")));
}

TEST(Validate, LimitsTheNumberOfEntries) {
  EXPECT_THAT(Causes(R"({"name":"a","wheels":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},
                         {"name":"e"}]})"),
              ElementsAre(Pair("wheels", "FieldValueTooMany")));
}

TEST(Validate, ChecksRulesUnlessValuesMakeThemMeaningless) {
  constexpr std::string_view kThree = R"("wheels":[{"name":"a"},{"name":"b"},{"name":"c"}])";
  EXPECT_THAT(Causes("{\"name\":\"a\"," + std::string(kThree) + ",\"tags\":[\"last\"]}"),
              ElementsAre(Pair("", "FieldValueInvalid"), Pair("tags", "FieldValueInvalid")));
  EXPECT_THAT(Causes("{\"name\":\"A\"," + std::string(kThree) + "}"),
              ElementsAre(Pair("name", "FieldValueInvalid"), Pair("", "FieldValueInvalid")));
  EXPECT_THAT(Causes("{\"name\":\"a\",\"colour\":\"Rd\"," + std::string(kThree) + "}"),
              ElementsAre(Pair("colour", "FieldValueNotSupported")));
}

TEST(Validate, ChecksTransitionsOnUpdatesOnly) {
  EXPECT_THAT(Causes(R"({"name":"a","miles":1})"), IsEmpty());
  EXPECT_THAT(Causes(R"({"name":"a","miles":1})", R"({"name":"a","miles":1})"), IsEmpty());
  EXPECT_THAT(Causes(R"({"name":"a","miles":1})", R"({"name":"a","miles":2})"),
              ElementsAre(Pair("", "FieldValueInvalid")));
}

TEST(Validate, SuggestsTheNearestOfTheAllowedValues) {
  const Cart cart = Decode<Cart>(R"({"name":"a","colour":"Bleu"})").value();
  EXPECT_EQ(Validate(cart)[0].hint, "did you mean \"Blue\"?");
}

TEST(ApplyDefaults, FillsAbsentFieldsAtEveryDepth) {
  Cart cart = Decode<Cart>(R"({"name":"a"})").value();
  ApplyDefaults(cart);
  EXPECT_EQ(cart.colour, "Red");
  ASSERT_TRUE(cart.brake);
  EXPECT_EQ(cart.brake->policy, "Never");
  EXPECT_EQ(cart.brake->is_on, true);
}

TEST(ApplyDefaults, KeepsPresentValues) {
  Cart cart = Decode<Cart>(R"({"name":"a","colour":"Blue","brake":{"on":false}})").value();
  ApplyDefaults(cart);
  EXPECT_EQ(cart.colour, "Blue");
  EXPECT_EQ(cart.brake->is_on, false);
  EXPECT_EQ(cart.brake->policy, "Never");
}

}  // namespace
}  // namespace berth::schema
