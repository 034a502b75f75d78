#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

// What a YAML scalar means. The rules are those of Kubernetes' tools, which is YAML 1.1 with some
// of 1.2 and a few turns of their own; yaml_scalar_test.cc has them as a table.
namespace berth::schema {

// A resolved scalar. A string's text is not in here: it is the text that was resolved.
struct YamlScalar {
  enum class Kind { kString, kNull, kBool, kInt, kUint, kFloat };

  Kind kind = Kind::kString;
  union {
    bool boolean;
    int64_t integer;            // kInt
    uint64_t unsigned_integer;  // kUint: only what does not fit kInt
    double real;                // kFloat: may be infinite or NaN
  };

  constexpr YamlScalar() : integer(0) {}
};

// A plain (unquoted) scalar without a tag. Integers may be decimal, 0x, 0o, 0b or octal with a
// leading 0, signed, with underscores. Integers past 64 bits and decimals with `8` or `9` after a
// leading 0 are floats; floats past double's range are strings. Dates are strings.
YamlScalar ResolvePlain(std::string_view text);

struct TaggedScalar {
  YamlScalar value;
  std::string_view text;  // what a string's text is; else the scalar's own
};

// A scalar with an explicit tag, quoted or not. The tag is in its long form
// ("tag:yaml.org,2002:int"); unknown tags make strings. A text that is not of the tag's type is an
// error, without place. `decoded` holds the string's text where that is not the scalar's own
// (!!binary).
base::Result<TaggedScalar> ResolveTagged(std::string_view tag, std::string_view text,
                                         std::string& decoded);

// Appends the scalar as JSON. `text` is that of a string. Infinities and NaN must not come here.
void AppendScalarJson(std::string& out, const YamlScalar& scalar, std::string_view text);

// Appends the scalar as a JSON object's key. False, with nothing appended, for what cannot be one:
// null, and integers past int64.
bool AppendScalarKey(std::string& out, const YamlScalar& scalar, std::string_view text);

}  // namespace berth::schema
