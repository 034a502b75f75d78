#pragma once

#include "schema/describe.h"

// What the walkers need to look into a described value.
namespace berth::schema {

template <class T>
const T& As(const void* value) {
  return *static_cast<const T*>(value);
}

// Whether a value (not an optional around it) is what an absent field reads as. A struct never is.
bool IsZero(const Type& type, const void* value);

// The value of a field inside `self`, behind its optional if it has one. Null if the field is
// carried, or absent: an empty optional, or a zero value where the field is not required.
const void* ValueOf(const Field& field, const void* self);

// The member itself, for changing.
inline void* MemberOf(const Field& field, void* self) { return field.member(self); }

// The field with that JSON name; null if there is none.
const Field* FindField(const Struct& type, std::string_view name);

// Whether two elements of a list agree in all key fields.
bool SameKeys(const Struct& type, std::span<const std::string_view> keys, const void* a,
              const void* b);

// Whether two values of one scalar type are equal.
bool SameScalar(const Type& type, const void* a, const void* b);

}  // namespace berth::schema
