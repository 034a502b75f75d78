#include "schema/crd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/decode.h"
#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string CartCrd() { return CustomResourceDefinition(testing::Cart::KindInfo()); }

TEST(Crd, IsJsonWithTheNamesOfTheKind) {
  const std::string crd = CartCrd();
  ASSERT_TRUE(CompactJson(crd)) << CompactJson(crd).error().message;
  EXPECT_THAT(crd, HasSubstr(R"("metadata":{"name":"carts.carts.example.com"})"));
  EXPECT_THAT(
      crd,
      HasSubstr(
          R"("names":{"kind":"Cart","listKind":"CartList","plural":"carts","singular":"cart","shortNames":["ca"]})"));
  EXPECT_THAT(crd, HasSubstr(R"("scope":"Namespaced")"));
  EXPECT_THAT(crd, HasSubstr(R"("subresources":{"status":{}})"));
}

TEST(Crd, HasBoundsEnumsAndDefaults) {
  const std::string crd = CartCrd();
  EXPECT_THAT(
      crd,
      HasSubstr(
          R"("colour":{"description":"Its colour.","default":"Red","type":"string","enum":["Red","Green","Blue"]})"));
  EXPECT_THAT(
      crd,
      HasSubstr(
          R"("spokes":{"description":"How many spokes.","type":"integer","format":"int32","minimum":0,"maximum":64})"));
  EXPECT_THAT(crd, HasSubstr(R"("required":["name"])"));
}

TEST(Crd, SaysHowListsMerge) {
  const std::string crd = CartCrd();
  EXPECT_THAT(crd,
              HasSubstr(R"("x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map")"));
  EXPECT_THAT(
      crd, HasSubstr(R"("items":{"type":"string","maxLength":4},"x-kubernetes-list-type":"set")"));
}

TEST(Crd, CarriesTheRules) {
  const std::string crd = CartCrd();
  EXPECT_THAT(
      crd, HasSubstr(R"({"rule":"self.miles >= oldSelf.miles","message":"miles never go down"})"));
  EXPECT_THAT(crd, HasSubstr(R"("rule":"self[0] != 'last'")"));
}

TEST(Crd, LeavesOutWhatOnlyTheFormerVersionHas) {
  EXPECT_THAT(CartCrd(), Not(HasSubstr("master")));
}

}  // namespace
}  // namespace berth::schema
