#pragma once

#include "json/json.h"
#include "schema/describe.h"
#include "schema/problem.h"

namespace berth::apiserver {

// Quantities with white space around them. Kubernetes trims them in its own kinds; the pattern in
// the definitions of others refuses them.
schema::Problems PaddedQuantities(const schema::Struct& type, const json::value& object);

}  // namespace berth::apiserver
