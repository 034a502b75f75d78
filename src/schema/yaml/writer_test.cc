#include "schema/yaml/writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "schema/json/text.h"
#include "schema/yaml/style.h"
#include "schema/yaml/to_json.h"

namespace berth::schema {
namespace {

std::string Write(std::string_view json) {
  const auto yaml = JsonToYaml(json);
  return yaml ? *yaml : "error: " + base::ToString(yaml.error());
}

std::string WriteString(std::string_view text) {
  std::string out;
  AppendYamlString(out, text);
  return out;
}

std::string ReadBack(std::string_view yaml) {
  const auto documents = YamlToJson(yaml);
  if (!documents) return base::ToString(documents.error());
  return documents->size() == 1 ? documents->front().json : "not one document";
}

TEST(YamlLayout, ListsAlignWithTheirKey) {
  EXPECT_EQ(
      Write(R"({"kind":"Job","spec":{"count":3,"list":[{"a":1,"b":[true,null]},[1,[2,3]],"x"]}})"),
      "kind: Job\n"
      "spec:\n"
      "  count: 3\n"
      "  list:\n"
      "  - a: 1\n"
      "    b:\n"
      "    - true\n"
      "    - null\n"
      "  - - 1\n"
      "    - - 2\n"
      "      - 3\n"
      "  - x\n");
}

TEST(YamlLayout, EmptyCollectionsAndScalarsStayOnTheirLine) {
  EXPECT_EQ(Write(R"({"a":{},"b":[],"c":[{},[]]})"), "a: {}\nb: []\nc:\n- {}\n- []\n");
  EXPECT_EQ(Write("{}"), "{}\n");
  EXPECT_EQ(Write("[]"), "[]\n");
  EXPECT_EQ(Write(" \"x\" "), "x\n");
  EXPECT_EQ(Write("null"), "null\n");
}

TEST(YamlLayout, MultiLineStringsAreLiteralBlocks) {
  EXPECT_EQ(Write(R"({"a":"x\ny\n","b":["x\n\n y","x\n\n"]})"),
            "a: |\n"
            "  x\n"
            "  y\n"
            "b:\n"
            "- |-\n"
            "  x\n"
            "\n"
            "   y\n"
            "- |+\n"
            "  x\n"
            "\n");
  EXPECT_EQ(Write(R"({"a":"  x\ny"})"), "a: |2-\n    x\n  y\n");
}

TEST(YamlLayout, LongStringsAreNotFolded) {
  const std::string words = "word word " + std::string(300, 'x') + " word";
  EXPECT_EQ(Write("[\"" + words + "\"]"), "- " + words + "\n");
}

TEST(YamlLayout, NumbersKeepTheirText) {
  EXPECT_EQ(Write("[18446744073709551615,-1.50,1E5,0]"),
            "- 18446744073709551615\n- -1.50\n- 1E5\n- 0\n");
  EXPECT_EQ(Write("[-0]"), "- -0.0\n");
}

TEST(YamlLayout, KeysTooLongForOneLineAreMarked) {
  const std::string key(1100, 'k');
  EXPECT_EQ(Write("{\"" + key + "\":{\"a\":[1]}}"), "? " + key + "\n:\n  a:\n  - 1\n");
}

TEST(YamlQuoting, OrdinaryTextIsPlain) {
  for (const char* text :
       {"abc", "a b", "kueue.x-k8s.io/queue-name", "500m", "1Gi", "-c", "--flag=1", "a:b", "a#b",
        "it's", "é ü", "http://x/y?z=1", "v1.2.3", "\xf0\x9f\x9a\xa2"}) {
    EXPECT_EQ(WriteString(text), text);
  }
}

TEST(YamlQuoting, AmbiguousTypesAreDoubleQuoted) {
  for (const char* text : {"", "yes", "n", "null", "~", "1", "0x1F", "1e3", ".5", "1_000", ".inf",
                           "2026-01-02", "12:30", "08"}) {
    EXPECT_EQ(WriteString(text), "\"" + std::string(text) + "\"");
  }
}

TEST(YamlQuoting, SyntaxIsSingleQuoted) {
  for (const char* text :
       {" a", "a ", "- a", "-",  "?",  "a: b", "a:", "a #b", "*a",  "&a", "!a",  "|",  ">",
        "%a", "@a", "`a`", "{a", "[a", "]",    ",",  "#",    "\"a", "<<", "---", "..."}) {
    EXPECT_EQ(WriteString(text), "'" + std::string(text) + "'");
  }
  EXPECT_EQ(WriteString("'a"), "'''a'");
}

TEST(YamlQuoting, EscapesAreDoubleQuoted) {
  EXPECT_EQ(WriteString("a\tb"), R"("a\tb")");
  EXPECT_EQ(WriteString("a\r\n\"\\"), R"("a\r\n\"\\")");
  EXPECT_EQ(WriteString(std::string_view("\0\x1b\x7f", 3)), R"("\0\x1B\x7F")");
  EXPECT_EQ(WriteString("\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\xef\xbf\xbf"),
            R"("\x85\u2028\uFEFF\uFFFF")");
  EXPECT_EQ(WriteString("\n"), R"("\n")");
  EXPECT_EQ(WriteString("a\nb "), R"("a\nb ")");
}

TEST(YamlWriterErrors, MalformedJsonIsRejectedWithItsPosition) {
  for (const char* json : {"", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "{a:1}", "tru",
                           "01", "\"\\q\"", "[1]]", "\"a", "1 2"}) {
    EXPECT_FALSE(JsonToYaml(json).has_value()) << json;
  }
  const auto yaml = JsonToYaml("{\"a\":1,\n \"b\" 2}");
  ASSERT_FALSE(yaml.has_value());
  EXPECT_EQ(yaml.error().place.line, 2);
  EXPECT_EQ(yaml.error().place.column, 6);
}

TEST(YamlWriterErrors, DepthAndRangeAreBounded) {
  EXPECT_TRUE(JsonToYaml(std::string(256, '[') + std::string(256, ']')).has_value());
  EXPECT_FALSE(JsonToYaml(std::string(257, '[') + std::string(257, ']')).has_value());
  EXPECT_FALSE(JsonToYaml("1e999").has_value());
}

// Strings and trees composed of error-prone pieces.
class RandomJson {
 public:
  explicit RandomJson(uint64_t seed) : random_(seed) {}

  std::string Value(int depth) {
    const uint64_t kind = random_.Below(depth > 0 ? 8 : 5);
    if (kind < 3) return String();
    if (kind == 3) return std::to_string(random_.Between(-1000, 1000));
    if (kind == 4) return Pick({"true", "false", "null", "0.5", "1e+21", "-0"});
    std::string out;
    for (uint64_t n = random_.Below(4); n > 0; --n) {
      if (!out.empty()) out += ',';
      if (kind > 5) out += String() + ":";
      out += Value(depth - 1);
    }
    return kind > 5 ? "{" + out + "}" : "[" + out + "]";
  }

 private:
  std::string String() {
    std::string text, out;
    for (uint64_t n = random_.Below(6); n > 0; --n) {
      text += Pick({"a",
                    "b c",
                    "1",
                    "0x",
                    "e5",
                    ".",
                    " ",
                    ":",
                    ": ",
                    " #",
                    "#",
                    "-",
                    "- ",
                    "?",
                    "*",
                    "&",
                    "!",
                    "|",
                    "'",
                    "\"",
                    "%",
                    "{",
                    "]",
                    ",",
                    "\n",
                    "\n\n",
                    "\n ",
                    "\t",
                    "\\",
                    "yes",
                    "null",
                    "\xc3\xa9",
                    "\xc2\x85",
                    "\xe2\x80\xa8",
                    "\xef\xbb\xbf",
                    "\r",
                    "\x01",
                    "---",
                    "...",
                    "<<",
                    "2026-01-02",
                    "=",
                    "\xf0\x9f\x9a\xa2"});
    }
    AppendJsonString(out, text);
    return out;
  }
  std::string Pick(const std::vector<std::string>& choices) {
    return choices[random_.Below(choices.size())];
  }

  base::Random random_;
};

TEST(YamlRoundTrip, ReproducesTheJson) {
  RandomJson random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string json = random.Value(4);
    const std::string yaml = Write(json);
    ASSERT_EQ(ReadBack(yaml), json) << yaml;
  }
}

}  // namespace
}  // namespace berth::schema
