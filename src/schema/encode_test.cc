#include "schema/encode.h"

#include <gtest/gtest.h>

#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using testing::Brake;
using testing::Cart;
using testing::Wheel;

TEST(Encode, WritesRequiredFieldsAlwaysAndOthersWhenSet) {
  EXPECT_EQ(Encode(Wheel{}), R"({"name":""})");
  EXPECT_EQ(Encode(Wheel{.name = "l", .spokes = 2, .extra = {}}), R"({"name":"l","spokes":2})");
}

TEST(Encode, WritesOptionalsThatArePresentEvenIfZero) {
  EXPECT_EQ(Encode(Brake{.policy = "", .is_on = false, .extra = {}}), R"({"on":false})");
  EXPECT_EQ(Encode(Brake{}), "{}");
}

TEST(Encode, PutsApiVersionAndKindInFrontOfAKind) {
  EXPECT_EQ(Encode(Cart{}), R"({"apiVersion":"carts.example.com/v1","kind":"Cart","name":""})");
}

TEST(Encode, NeverWritesMembersOfThePreviousVersion) {
  Cart cart;
  cart.previous_owner = "m";
  EXPECT_EQ(Encode(cart), Encode(Cart{}));
}

TEST(Encode, EscapesOnlyRequiredCharacters) {
  Cart cart;
  cart.name = "a\"\\\n\x01";
  cart.labels.Set("k\"", "\u00e9");
  const std::string json = Encode(cart);
  EXPECT_NE(json.find(R"("name":"a\"\\\n\u0001")"), std::string::npos) << json;
  EXPECT_EQ(*Decode<Cart>(json), cart);
}

TEST(Encode, RoundTrips) {
  Cart cart{.name = "a", .colour = "Blue", .previous_owner = "", .owner = "o", .miles = -5};
  cart.load = *quantity::Quantity::Parse("1.5Gi");
  cart.built = base::ParseTime("1999-12-31T23:59:59Z");
  cart.seen = base::ParseTime("2026-01-02T03:04:05.000006Z");
  cart.ride = base::Duration{1'500'000'000};
  cart.wheels = {{.name = "l", .spokes = 3, .extra = {}}, {.name = "", .spokes = 0, .extra = {}}};
  cart.tags = {"x", ""};
  cart.cargo.Set("cpu", quantity::Quantity::FromMilli(100));
  cart.brake.emplace();
  cart.slope = 0.1;
  cart.notes.text = R"([{"a":null}])";
  cart.extra.members = R"("light":{"watts":1})";
  auto back = Decode<Cart>(Encode(cart));
  ASSERT_TRUE(back) << ToString(back.error()[0]);
  EXPECT_EQ(*back, cart);
  EXPECT_EQ(Encode(*back), Encode(cart));
}

}  // namespace
}  // namespace berth::schema
