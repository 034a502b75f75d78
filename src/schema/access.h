#pragma once

#include "schema/describe.h"

// Access to members of described values, for the walkers.
namespace berth::schema {

template <class T>
const T& As(const void* value) {
  return *static_cast<const T*>(value);
}

// Whether a value (not an optional around it) equals that of an absent field. False for a struct.
bool IsZero(const Type& type, const void* value);

// The value of a field of `self`, unwrapped from its optional. Null if the field is carried or
// absent: an empty optional, or a zero value if the field is not required.
const void* ValueOf(const Field& field, const void* self);

inline void* MemberOf(const Field& field, void* self) { return field.member(self); }

// The field with this JSON name; null if there is none.
const Field* FindField(const Struct& type, std::string_view name);

// Whether two list elements agree in all key fields.
bool SameKeys(const Struct& type, std::span<const std::string_view> keys, const void* a,
              const void* b);

bool SameScalar(const Type& type, const void* a, const void* b);

}  // namespace berth::schema
