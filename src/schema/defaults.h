#pragma once

#include "schema/describe.h"

namespace berth::schema {

// Sets every absent field that has a default, at every depth, as an API server does when an object
// is stored. A default that is itself an object is filled in turn.
void ApplyDefaults(const Struct& type, void* self);

template <class T>
void ApplyDefaults(T& value) {
  ApplyDefaults(T::Description(), &value);
}

}  // namespace berth::schema
