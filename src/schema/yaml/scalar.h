#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

// Resolution of YAML scalars, with the rules of Kubernetes' tools: YAML 1.1 with parts of 1.2 and
// some deviations; scalar_test.cc lists them as a table.
namespace berth::schema {

// A resolved scalar. A string's text is not included: it is the resolved text.
struct YamlScalar {
  enum class Kind { kString, kNull, kBool, kInt, kUint, kFloat };

  Kind kind = Kind::kString;
  union {
    bool boolean;
    int64_t integer;            // kInt
    uint64_t unsigned_integer;  // kUint: only values beyond kInt
    double real;                // kFloat: may be infinite or NaN
  };

  constexpr YamlScalar() : integer(0) {}
};

// Resolves a plain (unquoted) scalar without a tag. Integers may be decimal, 0x, 0o, 0b or octal
// with a leading 0, signed, with underscores. Integers beyond 64 bits and decimals with `8` or `9`
// after a leading 0 are floats; floats beyond the range of double are strings. Dates are strings.
YamlScalar ResolvePlain(std::string_view text);

struct TaggedScalar {
  YamlScalar value;
  std::string_view text;  // of a string; otherwise the scalar's text
};

// Resolves a scalar with an explicit tag, quoted or not. The tag is in its long form
// ("tag:yaml.org,2002:int"); unknown tags resolve to strings. A text that does not match the tag is
// an error, without place. `decoded` stores the string's text if it differs from the scalar's
// (!!binary).
base::Result<TaggedScalar> ResolveTagged(std::string_view tag, std::string_view text,
                                         std::string& decoded);

// Appends the scalar as JSON; `text` is used for strings. Precondition: not infinite or NaN.
void AppendScalarJson(std::string& out, const YamlScalar& scalar, std::string_view text);

// Appends the scalar as a JSON key. Returns false and appends nothing for scalars that cannot be
// keys: null, and integers beyond int64.
bool AppendScalarKey(std::string& out, const YamlScalar& scalar, std::string_view text);

}  // namespace berth::schema
