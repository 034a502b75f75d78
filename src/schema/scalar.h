#pragma once

#include <string_view>

#include "schema/describe.h"

// Scalar tokens of a JSON text, strings with their quotes, and the C++ values that they stand for.
namespace berth::schema {

// Whether a token that is no bracket is a legal scalar, but for the escapes in a string.
bool IsScalarToken(std::string_view token);

// Stores a legal scalar in the member that has the shape. False if that cannot hold it.
bool StoreScalar(Shape shape, std::string_view token, void* target);

// Whether a legal scalar, which is not null, is a value of that shape.
bool CanHold(Shape shape, std::string_view token);

}  // namespace berth::schema
