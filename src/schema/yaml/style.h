#pragma once

#include <string>
#include <string_view>

// YAML styles of strings.
namespace berth::schema {

enum class YamlStyle {
  kPlain,
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,  // `|`, on separate lines
};

// The lightest style that parses to the same string, here and in other readers: plain if
// unambiguous, literal for multiple lines, single quotes if it only looks like syntax, double
// quotes if it would be another type or needs escapes.
YamlStyle StyleOf(std::string_view text);

// Appends the string on one line: in the style of StyleOf, or double-quoted instead of literal.
void AppendYamlString(std::string& out, std::string_view text);

// Appends a `|` header and the lines, each indented by `column` and terminated. The column must be
// two more than that of the string's key or dash.
void AppendYamlLiteral(std::string& out, std::string_view text, size_t column);

}  // namespace berth::schema
