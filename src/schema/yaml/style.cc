#include "schema/yaml/style.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "schema/yaml/number.h"
#include "schema/yaml/scalar.h"
#include "schema/yaml/timestamp.h"

namespace berth::schema {
namespace {

// A UTF-8 character and its length in bytes.
struct Character {
  uint32_t code;
  size_t length;
};

Character DecodeUtf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const auto tail = [&](size_t i) { return byte(i) & 0x3f; };
  if (lead < 0xe0) return {(lead & 0x1f) << 6 | tail(1), 2};
  if (lead < 0xf0) return {(lead & 0x0f) << 12 | tail(1) << 6 | tail(2), 3};
  return {(lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

// Whether the character is allowed unescaped outside plain scalars. Excludes line breaks other than
// : a reader would turn them into
//  or a space.
bool IsPrintable(uint32_t code) {
  if (code < 0x7f) return code >= 0x20;
  if (code == 0x2028 || code == 0x2029 || code == 0xfeff) return false;
  return code >= 0xa0 && code != 0xfffe && code != 0xffff;
}

struct Traits {
  bool has_line_end = false;
  bool has_tab = false;
  bool has_unprintable = false;
};

Traits Inspect(std::string_view text) {
  Traits out;
  for (size_t at = 0; at < text.size();) {
    const auto [code, length] = DecodeUtf8(text, at);
    if (code == '\n') {
      out.has_line_end = true;
    } else if (code == '\t') {
      out.has_tab = true;
    } else if (!IsPrintable(code)) {
      out.has_unprintable = true;
    }
    at += length;
  }
  return out;
}

// Whether a plain scalar would resolve to a type other than string, in this reader or another.
bool ResolvesToOther(std::string_view text) {
  return ResolvePlain(text).kind != YamlScalar::Kind::kString || IsTimestamp(text) ||
         IsBase60(text);
}

// Whether the scanner reads the text as one plain scalar. Precondition: one printable line.
bool ScansAsPlain(std::string_view text) {
  constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`";
  if (text.empty() || text == "<<" || text.starts_with("---") || text.starts_with("...")) {
    return false;
  }
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (kIndicators.contains(text.front())) return false;
  const bool is_dash_like = text.front() == '-' || text.front() == '?' || text.front() == ':';
  if (is_dash_like && (text.size() == 1 || text[1] == ' ')) return false;
  return !text.contains(": ") && !text.contains(" #");
}

// Literal blocks preserve every character, but blocks of only blank lines are easily misread, and
// trailing spaces are easily lost.
bool FitsLiteral(std::string_view text) {
  return text.find_first_not_of(" \t\n") != text.npos && text.back() != ' ' && text.back() != '\t';
}

void AppendSingleQuoted(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
}

void AppendHex(std::string& out, uint32_t code, int digits) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[code >> shift & 15];
}

void AppendEscape(std::string& out, uint32_t code) {
  switch (code) {
    case '\0':
      out += "\\0";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  out += code > 0xff ? "\\u" : "\\x";
  AppendHex(out, code, code > 0xff ? 4 : 2);
}

void AppendDoubleQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (size_t at = 0; at < text.size();) {
    const auto [code, length] = DecodeUtf8(text, at);
    if (code == '"' || code == '\\') out += '\\';
    if (IsPrintable(code)) {
      out += text.substr(at, length);
    } else {
      AppendEscape(out, code);
    }
    at += length;
  }
  out += '"';
}

}  // namespace

YamlStyle StyleOf(std::string_view text) {
  const Traits traits = Inspect(text);
  if (traits.has_unprintable) return YamlStyle::kDoubleQuoted;
  if (traits.has_line_end) {
    return FitsLiteral(text) ? YamlStyle::kLiteral : YamlStyle::kDoubleQuoted;
  }
  if (traits.has_tab || ResolvesToOther(text)) return YamlStyle::kDoubleQuoted;
  return ScansAsPlain(text) ? YamlStyle::kPlain : YamlStyle::kSingleQuoted;
}

void AppendYamlString(std::string& out, std::string_view text) {
  switch (StyleOf(text)) {
    case YamlStyle::kPlain:
      out += text;
      return;
    case YamlStyle::kSingleQuoted:
      return AppendSingleQuoted(out, text);
    case YamlStyle::kDoubleQuoted:
    case YamlStyle::kLiteral:
      return AppendDoubleQuoted(out, text);
  }
}

void AppendYamlLiteral(std::string& out, std::string_view text, size_t column) {
  out += '|';
  // A reader infers the indentation from the first line, unless it is explicit.
  if (text.front() == ' ' || text.front() == '\t' || text.front() == '\n') out += '2';
  if (!text.ends_with('\n')) {
    out += '-';
  } else if (text.ends_with("\n\n")) {
    out += '+';
  }
  out += '\n';
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty()) out.append(column, ' ');
    out += line;
    out += '\n';
    text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
  }
}

}  // namespace berth::schema
