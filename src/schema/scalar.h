#pragma once

#include <string_view>

#include "schema/describe.h"

// Scalar tokens of a JSON text, strings with their quotes, and their C++ values.
namespace berth::schema {

// Whether a non-bracket token is a valid scalar. Escapes in strings are not checked.
bool IsScalarToken(std::string_view token);

// Stores a valid scalar in a member of this shape. False if it does not fit.
bool StoreScalar(Shape shape, std::string_view token, void* target);

// Whether a valid scalar other than null is a value of this shape.
bool CanHold(Shape shape, std::string_view token);

}  // namespace berth::schema
