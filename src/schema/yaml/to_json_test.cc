#include "schema/yaml/to_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace berth::schema {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The JSON of every document, or the error.
std::vector<std::string> Read(std::string_view yaml) {
  const auto documents = YamlToJson(yaml, {.file = "f.yaml"});
  if (!documents) return {base::ToString(documents.error())};
  std::vector<std::string> out;
  for (const YamlDocument& document : *documents) out.push_back(document.json);
  return out;
}

std::string ReadOne(std::string_view yaml) {
  const auto documents = Read(yaml);
  return documents.size() == 1 ? documents.front() : "not one document";
}

base::Error ErrorOf(std::string_view yaml, const YamlOptions& options = {}) {
  const auto documents = YamlToJson(yaml, options);
  return documents ? base::Error{} : documents.error();
}

// The position of the JSON that starts with `piece`.
TextPosition PlaceOf(const YamlDocument& document, std::string_view piece) {
  const size_t at = document.json.find(piece);
  return at == std::string::npos ? TextPosition() : document.map.Find(at);
}

// "line:column message" of the error, without the hint.
std::string Problem(std::string_view yaml) {
  const base::Error error = ErrorOf(yaml);
  return std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + " " +
         error.message;
}

TEST(YamlDocuments, EmptyAndCommentOnlyOnesAreSkipped) {
  EXPECT_THAT(Read({}), IsEmpty());
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read("\n  \n# nothing\n"), IsEmpty());
  EXPECT_THAT(Read("---\n---\n# c\n---\na: 1\n---\n"), ElementsAre(R"({"a":1})"));
  EXPECT_THAT(Read("a: 1\n...\n---\nb: 2\n"), ElementsAre(R"({"a":1})", R"({"b":2})"));
}

TEST(YamlDocuments, AnExplicitNullOrEmptyStringIsADocument) {
  EXPECT_THAT(Read("null\n"), ElementsAre("null"));
  EXPECT_THAT(Read("--- ''\n"), ElementsAre("\"\""));
}

TEST(YamlDocuments, ByteOrderMarkAndCrLfAreAccepted) {
  EXPECT_THAT(Read("\xef\xbb\xbf"
                   "a: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nc: 3\r\n"),
              ElementsAre(R"({"a":1,"b":"x\ny\n"})", R"({"c":3})"));
}

TEST(YamlDocuments, HaveTheLineOfTheirFirstNode) {
  const auto documents = YamlToJson("# first\na: 1\n---\n\nb: 2\n");
  ASSERT_TRUE(documents.has_value());
  EXPECT_EQ(documents->at(0).line, 2);
  EXPECT_EQ(documents->at(1).line, 5);
}

TEST(YamlDocuments, StreamReturnsDocumentsBeforeAnErrorAndThenEnds) {
  YamlReader reader("a: 1\n---\nb: [\n");
  const auto first = reader.Next();
  ASSERT_TRUE(first.has_value() && first->has_value());
  EXPECT_EQ((*first)->json, R"({"a":1})");
  EXPECT_FALSE(reader.Next().has_value());
  const auto after = reader.Next();
  EXPECT_TRUE(after.has_value() && !after->has_value());
}

TEST(YamlNodes, BlockAndFlowStylesAreEquivalent) {
  EXPECT_EQ(ReadOne("a:\n- b: 1\n  c: [x, {d: }]\n-\n"),
            R"({"a":[{"b":1,"c":["x",{"d":null}]},null]})");
  EXPECT_EQ(ReadOne("{a: [{b: 1, c: [x, {d: }]}, ]}"), R"({"a":[{"b":1,"c":["x",{"d":null}]}]})");
  EXPECT_EQ(ReadOne("{\"a\":1,\"b\":[true,null]}"), R"({"a":1,"b":[true,null]})");
  EXPECT_EQ(ReadOne("[]"), "[]");
}

TEST(YamlNodes, QuotedAndBlockScalarsAreStrings) {
  EXPECT_EQ(ReadOne("['1', \"yes\", 'it''s', \"\\x41\\u00e9\\n\"]"),
            R"(["1","yes","it's","Aé\n"])");
  EXPECT_EQ(ReadOne("|-\n  1\n"), R"("1")");
  EXPECT_EQ(ReadOne(">\n  a\n  b\n\n  c\n"), R"("a b\nc\n")");
}

TEST(YamlNodes, KeysKeepOrderAndDuplicatesStay) {
  EXPECT_EQ(ReadOne("z: 1\na: 2\nz: 3\n"), R"({"z":1,"a":2,"z":3})");
  EXPECT_EQ(ReadOne("1: a\ntrue: b\n1.5: c\n"), R"({"1":"a","true":"b","1.5":"c"})");
}

TEST(YamlNodes, TagsApplyToScalarsOnly) {
  EXPECT_EQ(ReadOne("a: !!str 1\nb: !!int '2'\nc: !mine 3\nd: ! '4'\n"),
            R"({"a":"1","b":2,"c":"3","d":"4"})");
  EXPECT_EQ(ReadOne("!!omap [!foo {a: 1}]"), R"([{"a":1}])");
}

TEST(YamlAliases, CopyTheAnchoredNode) {
  EXPECT_EQ(ReadOne("a: &x {b: [1]}\nc: *x\nd: &s t\ne: *s\n"),
            R"({"a":{"b":[1]},"c":{"b":[1]},"d":"t","e":"t"})");
}

TEST(YamlAliases, AsKeysTakeTheFormOfKeys) {
  EXPECT_EQ(ReadOne("a: &x 1.0e+6\n*x : *x\n&k 7: *k\n"), R"({"a":1000000,"1e+06":1000000,"7":7})");
}

TEST(YamlAliases, TheLatestAnchorWinsWithinItsDocument) {
  EXPECT_EQ(ReadOne("[&a 1, *a, &a 2, *a]"), "[1,1,2,2]");
  EXPECT_EQ(ReadOne("[&a [&a 1, *a], *a]"), "[[1,1],1]");
  EXPECT_EQ(Problem("a: &x 1\n---\nb: *x\n"), "3:4 the alias *x has no anchor");
}

TEST(YamlMerges, WrittenKeysOverrideMergedOnes) {
  EXPECT_EQ(ReadOne("- &b {x: 1, w: 2}\n- <<: *b\n  w: 3\n"), R"([{"x":1,"w":2},{"x":1,"w":3}])");
}

TEST(YamlMerges, ALaterMergeOverridesAKey) {
  EXPECT_EQ(ReadOne("- &b {x: 1}\n- x: 3\n  <<: *b\n"), R"([{"x":1},{"x":1}])");
}

TEST(YamlMerges, TheFirstOfAListTakesPrecedence) {
  EXPECT_EQ(ReadOne("- &a {x: 1}\n- &b {x: 2, w: 2}\n- <<: [*a, *b, {z: 3}]\n"),
            R"([{"x":1},{"x":2,"w":2},{"z":3,"w":2,"x":1}])");
}

TEST(YamlMerges, NestAndKeepAnchorsInThem) {
  EXPECT_EQ(
      ReadOne("a: &a {p: &p {q: 1}, r: 2}\nb: &b\n  <<: *a\n  r: &r [3]\n  r2: *r\nc: {<<: {<<: "
              "*b, s: 4}, t: *r}\n"),
      R"({"a":{"p":{"q":1},"r":2},"b":{"p":{"q":1},"r":[3],"r2":[3]},)"
      R"("c":{"p":{"q":1},"r":[3],"r2":[3],"s":4,"t":[3]}})");
}

TEST(YamlMerges, QuotedArrowsAreAnOrdinaryKey) {
  EXPECT_EQ(ReadOne("'<<': 1\nb: <<\n"), R"({"<<":1,"b":"<<"})");
}

TEST(YamlMerges, TakeOnlyMappings) {
  EXPECT_EQ(Problem("<<: 1\n"), "1:5 `<<` merges only mappings");
  EXPECT_EQ(Problem("a: &a [{b: 1}]\nc:\n  <<: *a\n"), "3:7 `<<` merges only mappings");
  EXPECT_EQ(Problem("<<: [{a: 1}, [b]]\n"), "1:14 `<<` merges only mappings");
}

TEST(YamlSourceMap, KeysAndValuesAreFoundByLineAndColumn) {
  const auto documents = YamlToJson("# c\nname: é x\nspec:\n  list: [1, {k: v}]\n");
  ASSERT_TRUE(documents.has_value());
  const YamlDocument& document = documents->front();
  EXPECT_EQ(PlaceOf(document, "{\"name"), (TextPosition{2, 1}));
  EXPECT_EQ(PlaceOf(document, "\"é x"), (TextPosition{2, 7}));
  EXPECT_EQ(PlaceOf(document, " x\""), (TextPosition{2, 7}));
  EXPECT_EQ(PlaceOf(document, "\"list"), (TextPosition{4, 3}));
  EXPECT_EQ(PlaceOf(document, "[1"), (TextPosition{4, 9}));
  EXPECT_EQ(PlaceOf(document, "\"v\""), (TextPosition{4, 17}));
  EXPECT_EQ(document.map.Find(1 << 20), (TextPosition{4, 17}));
}

TEST(YamlSourceMap, AliasedAndMergedTextMapsToTheAlias) {
  const auto documents = YamlToJson("a: &a {k: 1, o: 2}\nb: *a\nc:\n  o: 3\n  <<: *a\n  p: 4\n");
  ASSERT_TRUE(documents.has_value());
  const YamlDocument& document = documents->front();
  EXPECT_EQ(document.json, R"({"a":{"k":1,"o":2},"b":{"k":1,"o":2},"c":{"k":1,"o":2,"p":4}})");
  EXPECT_EQ(document.map.Find(document.json.find("\"o\":2},\"c")), (TextPosition{2, 4}));
  EXPECT_EQ(document.map.Find(document.json.find("\"o\":2,\"p")), (TextPosition{5, 7}));
  EXPECT_EQ(PlaceOf(document, "\"p\""), (TextPosition{6, 3}));
  EXPECT_EQ(PlaceOf(document, "4}"), (TextPosition{6, 6}));
}

TEST(YamlErrors, HaveAPositionAndAHint) {
  EXPECT_EQ(
      Read("a:\n\tb: 1\n"),
      std::vector<std::string>{"f.yaml:2:1: a tab is used for indentation (indent with spaces)"});
  EXPECT_EQ(Problem("a: 1\n b: 2\n"), "2:3 a `:` stands where no key can be");
  EXPECT_EQ(Problem("a:\n  b: 1\n c: 2\n"), "3:2 this line does not fit the mapping around it");
  EXPECT_EQ(Problem("a: [1, 2\nb: 3\n"), "2:2 a `[` list is not closed, or a comma is missing");
  EXPECT_EQ(Problem("a: \"x\nb: 1\n"), "3:1 a quote is opened but never closed");
  EXPECT_EQ(Problem("a: @x\n"), "1:4 a value cannot begin with `@`");
  EXPECT_EQ(Problem("a: *\n"), "1:5 `*` begins an alias, but no name follows");
  EXPECT_EQ(Problem("a: \"\\q\"\n"),
            "1:5 a backslash is followed by a character that it cannot escape");
  EXPECT_EQ(Problem("a: - b\n"), "1:4 a list item `- ` stands where no list can be");
  EXPECT_EQ(Problem("a: *b\n"), "1:4 the alias *b has no anchor");
  EXPECT_EQ(Problem("a: &a [*a]\n"), "1:8 the alias *a stands inside the node that it names");
}

TEST(YamlErrors, ValuesWithoutJsonForm) {
  EXPECT_EQ(Problem("a: .inf\n"), "1:4 `.inf` cannot be written as JSON");
  EXPECT_EQ(Problem("a: {{ x }}\n"), "1:5 a mapping or a list is used as a key");
  EXPECT_EQ(Problem("? [a]\n: b\n"), "1:3 a mapping or a list is used as a key");
  EXPECT_EQ(Problem("~: a\n"), "1:1 null is used as a key");
  EXPECT_EQ(Problem("? &a .nan\n: *a\n"), "2:3 the number that *a names cannot be written as JSON");
  EXPECT_EQ(Problem("a: &a [1]\n*a : 2\n"), "2:1 the alias names nothing that can be a key");
  EXPECT_EQ(Problem("a: !!int x\n"), "1:4 `x` is a string, but its tag says !!int");
}

TEST(YamlErrors, InvalidEncodings) {
  EXPECT_EQ(Problem("a: 1\nb: é\xff\n"), "2:5 the text is not valid UTF-8");
  EXPECT_EQ(Problem("a: \xe2\x82"), "1:4 the text is not valid UTF-8");
  EXPECT_EQ(Problem(std::string_view("a: 1\nb: \0\n", 10)),
            "2:4 the control character U+0000 is not allowed");
  EXPECT_EQ(Problem("a: \x1b[0m\n"), "1:4 the control character U+001B is not allowed");
}

TEST(YamlLimits, DepthIsBoundedInEveryStyleAndThroughAliases) {
  const auto repeat = [](std::string_view text, int n) {
    std::string out;
    while (n-- > 0) out += text;
    return out;
  };
  EXPECT_EQ(ReadOne(repeat("[", 256) + repeat("]", 256)).size(), 512u);
  for (const std::string& deep :
       {repeat("[", 257), repeat("[", 1'000'000), repeat("- ", 10'000), repeat("{a: ", 10'000)}) {
    EXPECT_THAT(ErrorOf(deep).message, HasSubstr("nested deeper than 256"));
  }
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 300; ++i) {
    const std::string name = "a" + std::to_string(i);
    chain += name + ": &" + name + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_THAT(ErrorOf(chain).message, HasSubstr("nested deeper than 256"));
}

TEST(YamlLimits, AliasBombsAreStoppedEarly) {
  std::string bomb = "a0: &a0 [x, x, x]\n", merges = "a0: &a0 {k: v}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string name = "a" + std::to_string(i), last = "*a" + std::to_string(i - 1);
    bomb += name + ": &" + name + " [" + last + ", " + last + ", " + last + "]\n";
    merges += name + ": &" + name + " {<<: " + last + " , k" + name + ": " + last + " }\n";
  }
  EXPECT_THAT(ErrorOf(bomb).message, HasSubstr("expand to too much"));
  EXPECT_THAT(ErrorOf(merges).message, HasSubstr("expand to too much"));
}

TEST(YamlLimits, OptionsSetThem) {
  EXPECT_EQ(ErrorOf("[[1]]", {.max_depth = 2}).message, "");
  EXPECT_THAT(ErrorOf("[[1]]", {.max_depth = 1}).message, HasSubstr("deeper than 1"));
  EXPECT_THAT(ErrorOf("[&a 123, *a]", {.alias_bytes = 2, .alias_ratio = 0}).message,
              HasSubstr("expand"));
  EXPECT_THAT(ErrorOf("[&a 1, &b 2]", {.max_anchors = 1}).message,
              HasSubstr("more than 1 anchors"));
}

TEST(YamlLimits, ManyTagDirectivesAreRejected) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "%TAG !t" + std::to_string(i) + "! x\n";
  EXPECT_EQ(Problem(text + "---\na: 1\n"), "1001:1 the text has more than 1000 %TAG directives");
}

TEST(YamlManifests, AllOfThemTranscodeToJson) {
  const char* env = std::getenv("BERTH_SHARED_DIR");
  const std::filesystem::path shared =
      env != nullptr ? env : std::filesystem::path(BERTH_SOURCE_DIR) / ".." / "shared";
  if (!std::filesystem::exists(shared / "manifests")) GTEST_SKIP() << "shared/manifests not found";
  simdjson::dom::parser parser;
  for (const auto& entry : std::filesystem::directory_iterator(shared / "manifests")) {
    if (entry.path().extension() != ".yaml") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const auto documents = YamlToJson(text.str(), {.file = entry.path().string()});
    ASSERT_TRUE(documents.has_value()) << base::ToString(documents.error());
    EXPECT_THAT(*documents, Not(IsEmpty())) << entry.path();
    for (const YamlDocument& document : *documents) {
      EXPECT_EQ(parser.parse(document.json).error(), simdjson::SUCCESS) << document.json;
    }
  }
}

}  // namespace
}  // namespace berth::schema
