#include "schema/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/base64.h"
#include "schema/json/text.h"
#include "schema/yaml/binary.h"
#include "schema/yaml/number.h"
#include "schema/yaml/timestamp.h"

namespace berth::schema {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

YamlScalar Null() {
  YamlScalar scalar;
  scalar.kind = YamlScalar::Kind::kNull;
  return scalar;
}

YamlScalar Bool(bool value) {
  YamlScalar scalar;
  scalar.kind = YamlScalar::Kind::kBool;
  scalar.boolean = value;
  return scalar;
}

YamlScalar Float(double value) {
  YamlScalar scalar;
  scalar.kind = YamlScalar::Kind::kFloat;
  scalar.real = value;
  return scalar;
}

template <size_t N>
bool IsOneOf(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

// Words that start with one of "yYnNtTfFoO~", and the empty text.
YamlScalar ResolveWord(std::string_view text) {
  constexpr std::array<std::string_view, 11> kTrue = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                      "True", "TRUE", "on",  "On",  "ON"};
  constexpr std::array<std::string_view, 11> kFalse = {
      "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
  constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
  if (text.size() > 5) return {};
  if (IsOneOf(text, kTrue)) return Bool(true);
  if (IsOneOf(text, kFalse)) return Bool(false);
  if (IsOneOf(text, kNull)) return Null();
  return {};
}

// ".inf" and ".nan" in their three spellings; only infinity may have a sign.
std::optional<double> ParseSpecialFloat(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNan = {".nan", ".NaN", ".NAN"};
  constexpr std::array<std::string_view, 3> kInfinity = {".inf", ".Inf", ".INF"};
  if (IsOneOf(text, kNan)) return std::numeric_limits<double>::quiet_NaN();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!IsOneOf(text, kInfinity)) return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return negative ? -infinity : infinity;
}

YamlScalar ResolveNumber(std::string_view text) {
  if (const auto special = ParseSpecialFloat(text)) return Float(*special);
  YamlScalar scalar;
  // A text with a leading point is never an integer and allows underscores only between digits;
  // other numbers allow them anywhere.
  if (text.starts_with('.') && !UnderscoresSeparateDigits(text)) return scalar;
  std::string buffer;
  const std::string_view plain = WithoutUnderscores(text, buffer);
  if (const auto integer = ParseYamlInt(plain)) {
    scalar.kind = YamlScalar::Kind::kInt;
    scalar.integer = *integer;
  } else if (const auto large = ParseYamlUint(plain)) {
    scalar.kind = YamlScalar::Kind::kUint;
    scalar.unsigned_integer = *large;
  } else if (const auto real = ParseYamlFloat(plain)) {
    scalar = Float(*real);
  }
  return scalar;
}

std::string_view KindName(const YamlScalar& scalar) {
  switch (scalar.kind) {
    case YamlScalar::Kind::kString:
      return "a string";
    case YamlScalar::Kind::kNull:
      return "null";
    case YamlScalar::Kind::kBool:
      return "a boolean";
    case YamlScalar::Kind::kInt:
    case YamlScalar::Kind::kUint:
      return "an integer";
    case YamlScalar::Kind::kFloat:
      return "a number";
  }
  return "";
}

std::unexpected<base::Error> WrongTag(std::string_view text, std::string_view is,
                                      std::string_view tag) {
  constexpr size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  if (text.size() > kShown) shown += "...";
  return base::Fail(
      "`" + shown + "` is " + std::string(is) + ", but its tag says !!" + std::string(tag),
      "remove the tag, or write a value of its type");
}

base::Result<TaggedScalar> ResolveBinary(std::string_view text, std::string& decoded) {
  const auto bytes = base::DecodeBase64(text);
  if (!bytes) {
    return base::Fail("the value tagged !!binary is not base64",
                      "write it as padded base64, or remove the tag");
  }
  decoded = ReplaceInvalidUtf8(*bytes);
  return TaggedScalar{.value = {}, .text = decoded};
}

}  // namespace

YamlScalar ResolvePlain(std::string_view text) {
  if (text.empty()) return Null();
  switch (text.front()) {
    case 'y':
    case 'Y':
    case 'n':
    case 'N':
    case 't':
    case 'T':
    case 'f':
    case 'F':
    case 'o':
    case 'O':
    case '~':
      return ResolveWord(text);
    case '+':
    case '-':
    case '.':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return ResolveNumber(text);
    default:
      return {};
  }
}

base::Result<TaggedScalar> ResolveTagged(std::string_view tag, std::string_view text,
                                         std::string& decoded) {
  const TaggedScalar string{.value = {}, .text = text};
  if (!tag.starts_with(kTagPrefix)) return string;
  tag.remove_prefix(kTagPrefix.size());
  if (tag == "binary") return ResolveBinary(text, decoded);
  if (tag == "timestamp") {
    if (IsTimestamp(text)) return string;
    return WrongTag(text, "no date", tag);
  }
  YamlScalar value = ResolvePlain(text);
  const YamlScalar::Kind kind = value.kind;
  bool fits = true;
  if (tag == "null") {
    fits = kind == YamlScalar::Kind::kNull;
  } else if (tag == "bool") {
    fits = kind == YamlScalar::Kind::kBool;
  } else if (tag == "int") {
    fits = kind == YamlScalar::Kind::kInt || kind == YamlScalar::Kind::kUint;
  } else if (tag == "float") {
    if (kind == YamlScalar::Kind::kInt) value = Float(static_cast<double>(value.integer));
    fits = value.kind == YamlScalar::Kind::kFloat;
  } else {
    return string;
  }
  if (!fits) return WrongTag(text, KindName(value), tag);
  return TaggedScalar{.value = value, .text = text};
}

void AppendScalarJson(std::string& out, const YamlScalar& scalar, std::string_view text) {
  switch (scalar.kind) {
    case YamlScalar::Kind::kString:
      return AppendJsonString(out, text);
    case YamlScalar::Kind::kNull:
      out += "null";
      return;
    case YamlScalar::Kind::kBool:
      out += scalar.boolean ? "true" : "false";
      return;
    case YamlScalar::Kind::kInt:
      return AppendInt(out, scalar.integer);
    case YamlScalar::Kind::kUint:
      return AppendUint(out, scalar.unsigned_integer);
    case YamlScalar::Kind::kFloat:
      return AppendJsonFloat(out, scalar.real);
  }
}

bool AppendScalarKey(std::string& out, const YamlScalar& scalar, std::string_view text) {
  if (scalar.kind == YamlScalar::Kind::kString) {
    AppendJsonString(out, text);
    return true;
  }
  if (scalar.kind == YamlScalar::Kind::kNull || scalar.kind == YamlScalar::Kind::kUint)
    return false;
  out += '"';
  if (scalar.kind == YamlScalar::Kind::kFloat) {
    AppendKeyFloat(out, scalar.real);
  } else {
    AppendScalarJson(out, scalar, {});
  }
  out += '"';
  return true;
}

}  // namespace berth::schema
