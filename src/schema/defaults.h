#pragma once

#include "schema/describe.h"

namespace berth::schema {

// Sets every absent field with a default, at every depth, as an API server does on write. An object
// default is filled recursively.
void ApplyDefaults(const Struct& type, void* self);

template <class T>
void ApplyDefaults(T& value) {
  ApplyDefaults(T::Description(), &value);
}

}  // namespace berth::schema
