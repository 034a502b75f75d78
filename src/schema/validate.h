#pragma once

#include "schema/describe.h"
#include "schema/problem.h"

namespace berth::schema {

// Validates an object against its description, like an API server with the CRD. First all bounds,
// enums, patterns, required values and unique keys at every depth; then the rules that cross
// fields, unless a value is missing, too long, unknown, or there are too many. `old` is the stored
// object, null on create. A problem of the whole object has the field "".
Problems Validate(const Struct& type, const void* self, const void* old = nullptr);

template <class T>
Problems Validate(const T& value, const T* old = nullptr) {
  return Validate(T::Description(), &value, old);
}

// The length of UTF-8 text in characters.
size_t CharacterCount(std::string_view text);

}  // namespace berth::schema
