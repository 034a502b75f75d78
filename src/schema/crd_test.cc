#include "schema/crd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/decode.h"
#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using ::testing::AllOf;
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

TEST(Crd, IncludesListTypes) {
  const std::string crd = CartCrd();
  EXPECT_THAT(crd,
              HasSubstr(R"("x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map")"));
  EXPECT_THAT(
      crd, HasSubstr(R"("items":{"type":"string","maxLength":4},"x-kubernetes-list-type":"set")"));
}

TEST(Crd, IncludesTheRules) {
  const std::string crd = CartCrd();
  EXPECT_THAT(
      crd, HasSubstr(R"({"rule":"self.miles >= oldSelf.miles","message":"miles never go down"})"));
  EXPECT_THAT(crd, HasSubstr(R"("rule":"self[0] != 'last'")"));
}

// The part of the definition for one version.
std::string Version(std::string_view name, Conversion conversion = Conversion::kWebhook) {
  const std::string crd = CustomResourceDefinition(testing::Cart::KindInfo(), conversion);
  const size_t begin = crd.find("{\"name\":\"" + std::string(name) + "\"");
  const size_t next = crd.find(",{\"name\":\"v", begin);
  return begin == std::string::npos ? std::string() : crd.substr(begin, next - begin);
}

TEST(Crd, MarksAtomicMapsAndStructs) {
  EXPECT_THAT(
      CartCrd(),
      HasSubstr(R"("additionalProperties":{"type":"string"},"x-kubernetes-map-type":"atomic")"));
  EXPECT_THAT(CartCrd(),
              HasSubstr(R"("type":"object","x-kubernetes-map-type":"atomic","properties":)"
                        R"({"watts")"));
}

TEST(Crd, GivesEachVersionItsOwnNamesValuesAndRules) {
  const std::string current = Version("v1"), previous = Version("v0");
  EXPECT_THAT(current, AllOf(HasSubstr(R"("owner":{)"), Not(HasSubstr("keeper"))));
  EXPECT_THAT(previous, AllOf(HasSubstr(R"("keeper":{)"), Not(HasSubstr(R"("owner":)"))));
  EXPECT_THAT(current, AllOf(HasSubstr(R"("brake":{)"), Not(HasSubstr("master"))));
  EXPECT_THAT(previous, AllOf(HasSubstr(R"("master":{)"), Not(HasSubstr("brake"))));
  EXPECT_THAT(current, Not(HasSubstr("Pink")));
  EXPECT_THAT(previous, HasSubstr(R"("enum":["Red","Green","Blue","Pink"])"));
  EXPECT_THAT(current, HasSubstr("self.owner != 'none'"));
  EXPECT_THAT(previous, HasSubstr("self.keeper != 'none'"));
  EXPECT_THAT(current, HasSubstr(R"("jsonPath":".owner")"));
  EXPECT_THAT(previous, HasSubstr(R"("jsonPath":".keeper")"));
}

TEST(Crd, StoresTheCurrentVersionAndDeprecatesThePrevious) {
  EXPECT_THAT(Version("v1"), AllOf(HasSubstr(R"("served":true,"storage":true)"),
                                   HasSubstr(R"("selectableFields":[{"jsonPath":".colour"}])"),
                                   Not(HasSubstr("deprecat"))));
  EXPECT_THAT(Version("v0"), AllOf(HasSubstr(R"("served":true,"storage":false,"deprecated":true)"),
                                   HasSubstr("carts.example.com/v0 is deprecated for Cart: write "
                                             "apiVersion: carts.example.com/v1"),
                                   Not(HasSubstr("selectableFields"))));
}

TEST(Crd, ServesThePreviousVersionOnlyWithConversion) {
  EXPECT_THAT(CartCrd(), HasSubstr(R"("conversion":{"strategy":"Webhook")"));
  const std::string alone = CustomResourceDefinition(testing::Cart::KindInfo(), Conversion::kNone);
  EXPECT_THAT(alone, Not(HasSubstr("conversion")));
  EXPECT_THAT(Version("v0", Conversion::kNone), HasSubstr(R"("served":false)"));
  EXPECT_THAT(Version("v1", Conversion::kNone), HasSubstr(R"("served":true)"));
}

}  // namespace
}  // namespace berth::schema
