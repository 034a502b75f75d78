#pragma once

#include <string>

#include "schema/decode.h"
#include "schema/describe.h"

namespace berth::schema {

// Appends the struct as compact JSON: fields in the order of the description, then what `Extra`
// kept. Required fields are always written; others are left out while absent, empty, false or 0.
void EncodeTo(std::string& out, const Struct& type, const void* self);

// The same with the kind's apiVersion and kind in front.
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
