#include "schema/json/quick_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "schema/decode.h"
#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using testing::Cart;

std::string CartJson(std::string_view members) {
  return R"({"apiVersion":"carts.example.com/v1","kind":"Cart","name":"a")" +
         (members.empty() ? std::string() : "," + std::string(members)) + "}";
}

bool ReadsQuickly(const std::string& text, Cart& cart, bool is_previous = false) {
  const std::string padded = text + std::string(QuickReader::kPadding, '\0');
  return QuickReader(8).Read({padded.data(), text.size()},
                             Layout::Of(Cart::Description(), is_previous), &cart, &Cart::KindInfo(),
                             is_previous);
}

bool ReadsQuickly(const std::string& text) {
  Cart cart;
  return ReadsQuickly(text, cart);
}

// Texts that an API server may send.
const char* const kOrdinary[] = {
    "",
    R"("colour":"Blue","miles":-12,"load":"1500m")",
    R"("miles":0,"slope":-0.5,"brake":{"on":false,"policy":""})",
    R"("built":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:04:05.000006Z","ride":"1h30m")",
    R"("wheels":[{"name":"l","spokes":3},{"spokes":2,"name":"r"},{}],"tags":["x","","y"])",
    R"("wheels":[{"name":"l"}])",
    R"("wheels":[],"tags":[],"labels":{},"cargo":{},"light":{},"bells":[])",
    R"("labels":{"b":"2","a":"1","c":"a text that has memory of its own"},"cargo":{"cpu":2})",
    R"("load":null,"tags":[null,"x"],"labels":{"a":null},"light":null,"zzz":null)",
    R"("owner":"\u00e9\n\ud83d\ude00\\\"","labels":{"a":"\/"})",
    R"("notes":{"any":[1,null,true,1.50e-3,"\"\u0041"],"x":{"":0}},"light":{"w\"":"\t"})",
    R"("light":{"watts":5},"wings":[{"n":-0}],"miles":3,"bells":["b"],"claws":false)",
    R"("miles":9223372036854775807)",
};

TEST(QuickReader, ReadsServerOutput) {
  for (const char* members : kOrdinary) {
    if (std::string_view(members).find("9223372036854775807") != std::string_view::npos) continue;
    EXPECT_TRUE(ReadsQuickly(CartJson(members))) << members;
  }
  EXPECT_TRUE(ReadsQuickly(CartJson("") + "\n"));
  EXPECT_TRUE(ReadsQuickly(R"({"kind":"Cart","miles":1,"name":"a"})"));
}

TEST(QuickReader, AgreesWithTheCarefulReader) {
  for (const char* members : kOrdinary) {
    const auto quick = Decode<Cart>(CartJson(members));
    const auto careful =
        Decode<Cart>(" " + CartJson(members));  // the blank selects the careful reader
    ASSERT_TRUE(quick && careful) << members;
    EXPECT_EQ(*quick, *careful) << members;
  }
}

TEST(QuickReader, ReadsThePreviousVersion) {
  Cart cart;
  ASSERT_TRUE(ReadsQuickly(R"({"apiVersion":"x/v0","kind":"Cart","master":"m"})", cart, true));
  EXPECT_EQ(cart.owner, "m");
  EXPECT_EQ(cart.previous_owner, "");
  Cart renamed;
  ASSERT_TRUE(ReadsQuickly(R"({"keeper":"k"})", renamed, true));
  EXPECT_EQ(renamed.owner, "k");
}

TEST(QuickReader, GivesUpOnUnexpectedInput) {
  for (const char* members : {
           R"("miles": 1)",
           R"("miles":1 )",
           R"("miles" :1)",  // blanks
           R"("miles":1,"miles":2)",
           R"("light":{"a":1,"a":2})",
           R"("z":1,"z":2)",  // duplicate keys
           R"("labels":{"a":"","a":""})",
           R"("kind":"Cart")",
           R"("miles":"1")",
           R"("miles":1.0)",
           R"("miles":01)",
           R"("miles":-)",  // wrong types
           R"("miles":99999999999999999999)",
           R"("wheels":[{"spokes":2147483648}])",
           R"("brake":{"on":"true"})",
           R"("name":1)",
           R"("tags":{})",
           R"("labels":[])",
           R"("wheels":[1])",
           R"("load":"x")",
           R"("load":true)",
           R"("built":"now")",
           R"("ride":"1")",
           R"("slope":1e999)",
           R"("owner":"\q")",
           R"("light":"\u12")",
           R"("mil\u0065s":1)",  // an escape in a name
           R"("light":[1}])",
           R"("light":tru)",
           R"("light":+1)",  // bad syntax
           R"("light":[1,])",
           R"("light":{"a"1})",
           R"("light":1.)",
           R"("light":[[[[[[[[[1]]]]]]]]])",  // too deep
       }) {
    EXPECT_FALSE(ReadsQuickly(CartJson(members))) << members;
  }
  for (const char* text : {"", "{", "[]", "{}{}", R"({"kind":"Cat"})", R"({"apiVersion":"v1"})",
                           R"({"name":"a)", R"({"name":"a")", R"({"name":"a",)", R"({"name":)",
                           R"({"name":"\)", R"({"light":)", "{\"name\":\"\x01\"}"}) {
    EXPECT_FALSE(ReadsQuickly(text)) << text;
  }
}

TEST(QuickReader, LeavesNothingBehindAfterGivingUp) {
  const auto cart = Decode<Cart>(CartJson(R"("labels":{"a":"b"},"wings":1,"tags":["x"] )"));
  ASSERT_TRUE(cart) << ToString(cart.error()[0]);
  EXPECT_EQ(cart->labels.size(), 1u);
  EXPECT_EQ(cart->tags.size(), 1u);
  EXPECT_EQ(cart->extra.members, R"("wings":1)");
}

TEST(QuickReader, AdaptsToTheOrderOfFields) {
  for (const char* members :
       {R"("owner":"o","miles":1,"colour":"Red")", R"("colour":"Red","miles":1,"owner":"o")",
        R"("miles":1,"colour":"Red","owner":"o")"}) {
    Cart cart;
    ASSERT_TRUE(ReadsQuickly(CartJson(members), cart)) << members;
    EXPECT_EQ(cart.owner, "o");
    EXPECT_EQ(cart.miles, 1);
    EXPECT_EQ(cart.colour, "Red");
  }
}

}  // namespace
}  // namespace berth::schema
