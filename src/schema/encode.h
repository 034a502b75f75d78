#pragma once

#include <string>

#include "schema/decode.h"
#include "schema/describe.h"

namespace berth::schema {

// Appends the struct as compact JSON: fields in the order of the description, then the members of
// `Extra`. Required fields are always written; others are omitted if absent, empty, false or 0.
void EncodeTo(std::string& out, const Struct& type, const void* self);

// Starts with the kind's apiVersion and kind.
void EncodeTo(std::string& out, const Kind& kind, const void* self);

template <class T>
void EncodeTo(std::string& out, const T& value) {
  if constexpr (internal::HasKind<T>) {
    EncodeTo(out, T::KindInfo(), &value);
  } else {
    EncodeTo(out, T::Description(), &value);
  }
}

template <class T>
std::string Encode(const T& value) {
  std::string out;
  EncodeTo(out, value);
  return out;
}

}  // namespace berth::schema
