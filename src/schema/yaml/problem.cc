#include "schema/yaml/problem.h"

#include <yaml.h>

#include <array>
#include <string>
#include <utility>

#include "schema/json/index.h"

namespace berth::schema {
namespace {

// libyaml's message for a problem, and ours. In the hint, `@` is replaced by the line where the
// construct began.
struct Wording {
  std::string_view problem;
  std::string_view context;  // a part of libyaml's context; empty matches all
  std::string_view message;
  std::string_view hint;
};

constexpr std::array kWordings = std::to_array<Wording>({
    {"found unexpected end of stream", "quoted scalar", "a quote is opened but never closed",
     "close the quote that opens on line @"},
    {"found unexpected document indicator", "quoted scalar", "a quote is opened but never closed",
     "close the quote that opens on line @"},
    {"mapping values are not allowed in this context", "", "a `:` stands where no key can be",
     "indent keys of one mapping alike, and quote a value that contains `: `"},
    {"did not find expected key", "block mapping", "this line does not fit the mapping around it",
     "indent it like the keys of the mapping that begins on line @, write `key: value`, and close "
     "every quote before it"},
    {"could not find expected ':'", "", "a `:` is missing after a key",
     "write `key: value`, with a space behind the `:`; indent the lines of a longer text alike"},
    {"did not find expected '-' indicator", "", "this line does not fit the list around it",
     "begin every item of the list from line @ with `- ` in the same column"},
    {"did not find expected ',' or ']'", "", "a `[` list is not closed, or a comma is missing",
     "close the `[` that opens on line @; quote items that contain , [ ] { or }"},
    {"did not find expected ',' or '}'", "", "a `{` mapping is not closed, or a comma is missing",
     "close the `{` that opens on line @; quote values that begin with {{"},
    {"did not find expected node content", "", "a value is missing here",
     "write the value, or quote it if it begins with a character such as , ] or }"},
    {"block sequence entries are not allowed in this context", "",
     "a list item `- ` stands where no list can be", "put it on a line of its own, under its key"},
    {"block mapping keys are not allowed in this context", "", "a `? ` stands where no key can be",
     "quote the value if it begins with ?"},
    {"did not find expected <document start>", "", "there is text after the end of the document",
     "separate documents with a line `---`, and indent the keys of one mapping alike"},
    {"found unknown escape character", "",
     "a backslash is followed by a character that it cannot escape",
     "double the backslash, or use single quotes, in which it is an ordinary character"},
    {"did not find expected hexdecimal number", "", "an escape in double quotes needs hex digits",
     "double the backslash, or use single quotes, in which it is an ordinary character"},
    {"found invalid Unicode character escape code", "", "an escape names no Unicode character",
     "write the character itself; one past U+FFFF is \\U and eight digits"},
    {"did not find expected alphabetic or numeric character", "alias",
     "`*` begins an alias, but no name follows", "quote a value that begins with *"},
    {"did not find expected alphabetic or numeric character", "anchor",
     "`&` begins an anchor, but no name follows", "quote a value that begins with &"},
    {"found undefined tag handle", "", "the tag's prefix is not defined",
     "quote a value that begins with !"},
    {"did not find expected whitespace or line break", "tag", "the tag is malformed",
     "quote a value that begins with !"},
    {"did not find expected comment or line break", "block scalar",
     "text follows the `|` or `>` on the same line", "begin the text on the next line, indented"},
    {"found a tab character where an indentation space is expected", "",
     "a tab is used for indentation", "indent with spaces"},
    {"found a tab character that violates indentation", "", "a tab is used for indentation",
     "indent with spaces"},
    {"found incompatible YAML document", "", "the document says that it is of another YAML version",
     "remove the %YAML line"},
    {"exceeded maximum depth", "", "mappings and lists are nested too deep",
     "flatten the document"},
});

std::string_view View(const char* text) { return text == nullptr ? std::string_view() : text; }

std::string WithLine(std::string_view hint, const yaml_parser_t& parser) {
  std::string out(hint);
  if (const size_t at = out.find('@'); at != out.npos) {
    out.replace(at, 1, std::to_string(parser.context_mark.line + 1));
  }
  return out;
}

base::Error DescribeEncoding(const yaml_parser_t& parser, std::string_view text) {
  const TextPosition position = PositionInText(text, parser.problem_offset);
  base::Error error{.message = "the text is not valid UTF-8",
                    .hint = "save the file as UTF-8",
                    .place = {.file = {}, .line = position.line, .column = position.column}};
  if (View(parser.problem) == "control characters are not allowed") {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const int code = parser.problem_value;
    std::string shown;
    for (int shift = code > 0xffff ? 20 : 12; shift >= 0; shift -= 4) {
      shown += kHex[static_cast<size_t>(code >> shift & 15)];
    }
    error.message = "the control character U+" + shown + " is not allowed";
    error.hint = "remove it, or write it as an escape in double quotes";
  }
  return error;
}

// A character that cannot start a token.
base::Error DescribeCharacter(char c) {
  if (c == '\t') {
    return {.message = "a tab is used for indentation", .hint = "indent with spaces", .place = {}};
  }
  return {.message = std::string("a value cannot begin with `") + c + "`",
          .hint = "quote the value",
          .place = {}};
}

base::Error DescribeSyntax(const yaml_parser_t& parser, std::string_view text) {
  const std::string_view problem = View(parser.problem), context = View(parser.context);
  if (problem == "found character that cannot start any token") {
    const size_t at = parser.problem_mark.index;
    // The mark counts characters, so beyond ASCII the buffer is more reliable.
    const bool has_buffer = parser.buffer.pointer < parser.buffer.last;
    const char c = has_buffer         ? static_cast<char>(*parser.buffer.pointer)
                   : at < text.size() ? text[at]
                                      : ' ';
    return DescribeCharacter(c);
  }
  for (const Wording& wording : kWordings) {
    if (problem != wording.problem || !context.contains(wording.context)) continue;
    return {.message = std::string(wording.message),
            .hint = WithLine(wording.hint, parser),
            .place = {}};
  }
  std::string message(problem);
  if (!context.empty()) message = std::string(context) + ": " + message;
  return {.message = std::move(message), .hint = {}, .place = {}};
}

}  // namespace

base::Error DescribeYamlProblem(const yaml_parser_s& parser, std::string_view text) {
  if (parser.error == YAML_READER_ERROR) return DescribeEncoding(parser, text);
  if (parser.error == YAML_MEMORY_ERROR) {
    return {.message = "the text is too large or nested too deep", .hint = "split it", .place = {}};
  }
  base::Error error = DescribeSyntax(parser, text);
  error.place = {.file = {},
                 .line = static_cast<int>(parser.problem_mark.line) + 1,
                 .column = static_cast<int>(parser.problem_mark.column) + 1};
  return error;
}

}  // namespace berth::schema
