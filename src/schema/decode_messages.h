#pragma once

#include <string>
#include <string_view>

#include "schema/describe.h"

// What reading says to a user when a text is not what it should be.
namespace berth::schema {

std::string Quoted(std::string_view text);

// What a value of that shape is called: "a whole number".
std::string_view NameOf(Shape shape);

// What stands in the text instead.
std::string Found(std::string_view token);

// What to write where a token is no value of that shape; empty if there is nothing to say.
std::string HintForType(Shape shape, std::string_view token);

// What was meant by a field that the struct does not have.
std::string HintForUnknown(const Struct& type, std::string_view name, bool is_former);

}  // namespace berth::schema
