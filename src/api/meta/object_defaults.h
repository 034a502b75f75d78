#pragma once

#include "api/meta/object.h"

namespace berth::api {

// Fills in the defaults of the object's kind: those of the field descriptions, and those that
// depend on other fields.
void ApplyDefaults(Object& object);

}  // namespace berth::api
