#pragma once

#include <string>
#include <string_view>

// How a string looks in YAML.
namespace berth::schema {

enum class YamlStyle {
  kPlain,
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,  // `|`, on lines of its own
};

// The lightest style that reads back as the same string, here and with other readers: plain if
// nothing takes it for anything else, literal for more than one line, single quotes for what only
// begins or looks odd, double quotes for what would be another type and for what needs escapes.
YamlStyle StyleOf(std::string_view text);

// Appends the string on one line: as StyleOf says, or double-quoted instead of literal.
void AppendYamlString(std::string& out, std::string_view text);

// Appends a `|` header and the lines, each indented by `column`, with a line end behind the last.
// The column must be two more than that of the key or the dash that the string belongs to.
void AppendYamlLiteral(std::string& out, std::string_view text, size_t column);

}  // namespace berth::schema
