#pragma once

#include <string>

#include "schema/describe.h"

namespace berth::schema {

// The CustomResourceDefinition of a kind as JSON: a structural schema with every bound, enum, list
// type, default and CEL rule of its description, printer columns, names and the status subresource.
std::string CustomResourceDefinition(const Kind& kind);

}  // namespace berth::schema
