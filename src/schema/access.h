#pragma once

#include <cstddef>
#include <vector>

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

// The elements of a set or keyed list (ListKind::kSet, kMap) by identity: by their value or by
// their key fields. O(n log n) to make, for lists of any length.
class ElementIndex {
 public:
  // The list must outlive the index.
  ElementIndex(const Field& field, const Type& type, const void* list);

  // The first element of the list with this identity; null if there is none.
  const void* Find(const void* element) const;
  // For each identity that occurs more than once, the place of its second element, ascending.
  std::vector<size_t> Repeated() const;

 private:
  struct Place {
    const void* element;
    size_t index;
  };
  int Compare(const void* a, const void* b) const;

  const Type& element_;
  std::vector<const Field*> keys_;  // empty: the value itself
  std::vector<Place> places_;       // by identity, then index
};

}  // namespace berth::schema
