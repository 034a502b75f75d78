#pragma once

#include <string>
#include <string_view>

#include "schema/describe.h"

// User-facing messages for decoding problems.
namespace berth::schema {

std::string Quoted(std::string_view text);

// The name of a value of this shape: "a whole number".
std::string_view NameOf(Shape shape);

// The description of a token found in the text.
std::string Found(std::string_view token);

// A hint for a token that is not a value of this shape; empty if there is none.
std::string HintForType(Shape shape, std::string_view token);

// A suggestion for an unknown field of the struct: the nearest name, or the place in `root`, the
// struct of the whole object, where a field of this name belongs.
std::string HintForUnknown(const Struct& type, std::string_view name, const Struct& root,
                           bool is_previous);

}  // namespace berth::schema
