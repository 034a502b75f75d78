#pragma once

#include "schema/describe.h"
#include "schema/problem.h"

namespace berth::schema {

// Checks an object against its description: what an API server checks from the CRD. First bounds,
// enums, patterns, required values and unique keys, at every depth and all of them; then the rules
// that cross fields, unless something is missing, too long, too many or no known value. `old` is
// what is stored now, null when creating. A problem on the whole object has the field "".
Problems Validate(const Struct& type, const void* self, const void* old = nullptr);

template <class T>
Problems Validate(const T& value, const T* old = nullptr) {
  return Validate(T::Description(), &value, old);
}

// The length of UTF-8 text in characters.
size_t CharacterCount(std::string_view text);

}  // namespace berth::schema
