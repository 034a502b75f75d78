#include "schema/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/encode.h"
#include "schema/testing/fixture.h"

namespace berth::schema {
namespace {

using ::testing::AllOf;
using testing::Cart;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using testing::Wheel;

// A Cart with only the given members, as an object of its kind.
std::string CartJson(std::string_view members) {
  return R"({"apiVersion":"carts.example.com/v1","kind":"Cart","name":"a")" +
         (members.empty() ? std::string() : "," + std::string(members)) + "}";
}

Problems StrictProblems(std::string_view json) {
  auto cart = Decode<Cart>(json, {.is_strict = true});
  return cart ? Problems{} : cart.error();
}

auto Is(ProblemType type, std::string_view field) {
  return AllOf(Field(&Problem::type, type), Field(&Problem::field, field));
}

TEST(Decode, ReadsEveryShape) {
  auto cart = Decode<Cart>(CartJson(R"("colour":"Blue","miles":9223372036854775807,"load":"1500m",
      "built":"2026-01-02T03:04:05Z","seen":"2026-01-02T03:04:05.000006Z","ride":"1h30m",
      "wheels":[{"name":"l","spokes":3},{"name":"r"}],"tags":["x","y"],"labels":{"b":"2","a":"1"},
      "cargo":{"cpu":2},"brake":{"on":false},"slope":-0.5,"notes":{"any":[1,null]})"));
  ASSERT_TRUE(cart) << ToString(cart.error()[0]);
  EXPECT_EQ(cart->colour, "Blue");
  EXPECT_EQ(cart->miles, INT64_MAX);
  EXPECT_EQ(cart->load->MilliValue(), 1500);
  EXPECT_EQ(base::FormatTime(*cart->built), "2026-01-02T03:04:05Z");
  EXPECT_EQ(base::FormatMicroTime(*cart->seen), "2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(cart->ride, base::Duration::Seconds(5400));
  EXPECT_EQ(cart->wheels, (std::vector<Wheel>{{.name = "l", .spokes = 3, .extra = {}},
                                              {.name = "r", .spokes = 0, .extra = {}}}));
  EXPECT_EQ(cart->labels, (base::FlatMap<std::string>{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(cart->cargo.Find("cpu")->Value(), 2);
  EXPECT_EQ(cart->brake->is_on, false);
  EXPECT_EQ(cart->slope, -0.5);
  EXPECT_EQ(cart->notes.text, R"({"any":[1,null]})");
}

TEST(Decode, NullIsTheSameAsAbsent) {
  auto cart = Decode<Cart>(CartJson(R"("load":null,"wheels":null,"brake":null,"light":null)"),
                           {.is_strict = true});
  ASSERT_TRUE(cart) << ToString(cart.error()[0]);
  EXPECT_FALSE(cart->load);
  EXPECT_FALSE(cart->brake);
  EXPECT_EQ(cart->extra.members, "");
}

TEST(Decode, UnescapesStringsAndKeys) {
  auto cart = Decode<Cart>(
      CartJson("\"o\\u0077ner\":\"\\u00e9\\n\\ud83d\\ude00\",\"labels\":{\"a\\/b\":\"c\"}"));
  ASSERT_TRUE(cart) << ToString(cart.error()[0]);
  EXPECT_EQ(cart->owner, "\u00e9\n\U0001F600");
  EXPECT_TRUE(cart->labels.Contains("a/b"));
}

TEST(Decode, KeepsUnknownFields) {
  const std::string json = CartJson(R"("light":{"watts":5},"wings":[ {"n": 1.50} ],"bells":["b"])");
  auto cart = Decode<Cart>(json);
  ASSERT_TRUE(cart);
  EXPECT_EQ(cart->extra.members, R"("light":{"watts":5},"wings":[{"n":1.50}],"bells":["b"])");
  EXPECT_EQ(*Decode<Cart>(Encode(*cart)), *cart);
}

TEST(StrictDecode, ReportsUnknownFieldsWithASuggestion) {
  const Problems problems = StrictProblems(CartJson(R"("weels":[],"light":{"watt":1},"zzz":1)"));
  EXPECT_THAT(problems, ElementsAre(Is(ProblemType::kUnknownField, "weels"),
                                    Is(ProblemType::kUnknownField, "light.watt"),
                                    Is(ProblemType::kUnknownField, "zzz")));
  EXPECT_EQ(problems[0].hint, "did you mean \"wheels\"?");
  EXPECT_EQ(problems[1].hint, "did you mean \"watts\"?");
  EXPECT_EQ(problems[2].hint, "");
}

TEST(StrictDecode, SuggestsThePlaceOfAMisplacedField) {
  const Problems problems =
      StrictProblems(CartJson(R"("spokes":3,"light":{"miles":1},"brake":{"name":"x"})"));
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].hint, "write it under wheels");
  EXPECT_EQ(problems[1].hint, "write it at the top level");
  EXPECT_EQ(problems[2].hint, "") << "several structs have a name";
}

TEST(StrictDecode, ReportsMissingRequiredFields) {
  EXPECT_THAT(StrictProblems(R"({"wheels":[{}]})"),
              UnorderedElementsAre(
                  Is(ProblemType::kRequired, "name"), Is(ProblemType::kRequired, "wheels[0].name"),
                  Is(ProblemType::kRequired, "apiVersion"), Is(ProblemType::kRequired, "kind")));
}

TEST(StrictDecode, ChecksTheTypesOfCarriedFields) {
  EXPECT_THAT(StrictProblems(CartJson(R"("light":{"watts":"5"},"bells":[1])")),
              ElementsAre(Is(ProblemType::kTypeInvalid, "light.watts"),
                          Is(ProblemType::kTypeInvalid, "bells[0]")));
}

TEST(Decode, ReportsDuplicateKeys) {
  for (const bool is_strict : {true, false}) {
    auto cart = Decode<Cart>(
        CartJson(R"("miles":1,"miles":2,"labels":{"a":"","a":""},"light":{},"light":{})"),
        {.is_strict = is_strict});
    ASSERT_FALSE(cart);
    EXPECT_THAT(cart.error(), ElementsAre(Is(ProblemType::kDuplicate, "miles"),
                                          Is(ProblemType::kDuplicate, "labels.a"),
                                          Is(ProblemType::kDuplicate, "light")));
  }
}

TEST(Decode, ReportsAllWrongTypesWithPlaces) {
  auto cart = Decode<Cart>("{\"name\": 5,\n \"miles\": \"6\",\n  \"wheels\": {}, \"tags\": [[]]}",
                           {.file = "cart.json"});
  ASSERT_FALSE(cart);
  EXPECT_THAT(cart.error(), ElementsAre(Is(ProblemType::kTypeInvalid, "name"),
                                        Is(ProblemType::kTypeInvalid, "miles"),
                                        Is(ProblemType::kTypeInvalid, "wheels"),
                                        Is(ProblemType::kTypeInvalid, "tags[0]")));
  EXPECT_EQ(cart.error()[0].hint, "write it in quotes: \"5\"");
  EXPECT_EQ(cart.error()[1].hint, "write it without quotes");
  EXPECT_EQ(base::ToString(cart.error()[1].place), "cart.json:2:11");
  EXPECT_EQ(base::ToString(cart.error()[2].place), "cart.json:3:13");
}

TEST(Decode, RejectsNumbersOutOfRange) {
  for (const char* spokes : {"2147483648", "1.0", "1e2", "9223372036854775808", "true"}) {
    EXPECT_THAT(
        StrictProblems(CartJson(R"("wheels":[{"name":"l","spokes":)" + std::string(spokes) + "}]")),
        ElementsAre(Is(ProblemType::kTypeInvalid, "wheels[0].spokes")))
        << spokes;
  }
}

TEST(Decode, ChecksApiVersionAndKind) {
  EXPECT_THAT(
      StrictProblems(R"({"apiVersion":"v2","kind":"Cat","name":"a"})"),
      ElementsAre(Is(ProblemType::kInvalid, "apiVersion"), Is(ProblemType::kInvalid, "kind")));
}

TEST(PreviousVersion, IsConvertedToTheCurrentOne) {
  const DecodeOptions options{.is_strict = true, .is_previous = true};
  auto renamed =
      Decode<Cart>(R"({"apiVersion":"x/v0","kind":"Cart","name":"a","keeper":"k"})", options);
  ASSERT_TRUE(renamed) << ToString(renamed.error()[0]);
  EXPECT_EQ(renamed->owner, "k");
  auto folded =
      Decode<Cart>(R"({"apiVersion":"x/v0","kind":"Cart","name":"a","master":"m"})", options);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->owner, "m");
  EXPECT_EQ(folded->previous_owner, "");
}

TEST(PreviousVersion, HasItsOwnNamesOnly) {
  const DecodeOptions previous{.is_strict = true, .is_previous = true};
  auto cart = Decode<Cart>(
      R"({"apiVersion":"x/v0","kind":"Cart","name":"a","owner":"k","brake":{}})", previous);
  ASSERT_FALSE(cart);
  EXPECT_THAT(cart.error(), ElementsAre(Is(ProblemType::kUnknownField, "owner"),
                                        Is(ProblemType::kUnknownField, "brake")));
  const Problems problems = StrictProblems(CartJson(R"("keeper":"k","master":"m")"));
  EXPECT_THAT(problems, ElementsAre(Is(ProblemType::kUnknownField, "keeper"),
                                    Is(ProblemType::kUnknownField, "master")));
  EXPECT_THAT(problems[0].hint, HasSubstr("write \"owner\""));
}

// An API server of the previous version would drop the field. Kept, it would conflict with the
// member.
TEST(PreviousVersion, DropsFieldsOfTheCurrentVersion) {
  const auto cart = Decode<Cart>(R"({"kind":"Cart","owner":"o","keeper":"k","brake":{},"zzz":1})",
                                 {.is_previous = true});
  ASSERT_TRUE(cart) << ToString(cart.error()[0]);
  EXPECT_EQ(cart->owner, "k");
  EXPECT_FALSE(cart->brake);
  EXPECT_EQ(cart->extra.members, R"("zzz":1)");
}

struct BadText {
  const char* name;
  std::string text;
};

class MalformedText : public ::testing::TestWithParam<BadText> {};

TEST_P(MalformedText, IsOneSyntaxProblem) {
  auto cart = Decode<Cart>(GetParam().text);
  ASSERT_FALSE(cart);
  EXPECT_EQ(cart.error().back().type, ProblemType::kSyntax);
  EXPECT_GT(cart.error().back().place.line, 0);
  EXPECT_FALSE(CompactJson(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    Decode, MalformedText,
    ::testing::Values(BadText{"Empty", ""}, BadText{"Blank", " \n"}, BadText{"Open", "{"},
                      BadText{"OpenKey", R"({"name)"}, BadText{"NoColon", R"({"name" "a"})"},
                      BadText{"NoValue", R"({"name":})"},
                      BadText{"NoComma", R"({"name":"a" "miles":1})"},
                      BadText{"TrailingComma", R"({"name":"a",})"}, BadText{"BareKey", "{name:1}"},
                      BadText{"HalfWord", R"({"x":tru})"}, BadText{"TwoValues", "{}{}"},
                      BadText{"LeadingZero", R"({"x":01})"}, BadText{"Hex", R"({"x":0x1})"},
                      BadText{"PlusSign", R"({"x":+1})"}, BadText{"NotANumber", R"({"x":NaN})"},
                      BadText{"BadEscape", R"({"x":"\q"})"},
                      BadText{"ShortUnicode", R"({"x":"\u12"})"},
                      BadText{"Nul", std::string("{\"x\":\"\0\"}", 9)},
                      BadText{"Utf8", "{\"x\":\"\xff\"}"}, BadText{"Newline", "{\"x\":\"a\nb\"}"},
                      BadText{"Deep", "{\"x\":" + std::string(10'000, '[')},
                      BadText{"DeepClosed", "{\"x\":" + std::string(10'000, '[') +
                                                std::string(10'000, ']') + "}"},
                      BadText{"WrongBracket", R"({"x":[1}]})"}),
    [](const auto& test) { return test.param.name; });

TEST(Decode, LimitsTheNestingDepth) {
  const std::string text(16 << 20, '[');
  auto cart = Decode<Cart>(text);
  ASSERT_FALSE(cart);
  EXPECT_EQ(cart.error().size(), 1u);
}

TEST(CompactJson, DropsBlanksAndKeepsNumbersUnchanged) {
  EXPECT_EQ(*CompactJson(" { \"a\" : [ 1.50 , 1e400, \"x y\" ] , \"b\" : { } } "),
            R"({"a":[1.50,1e400,"x y"],"b":{}})");
}

}  // namespace
}  // namespace berth::schema
