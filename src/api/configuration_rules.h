#pragma once

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "schema/problem.h"

namespace berth::api {

// Everything wrong with a Configuration. It has no CRD, so this is all there is besides its shape.
// In practice defaults are applied first; what they would fill in is reported as missing.
schema::Problems ValidateConfiguration(const Configuration& configuration,
                                       const FeatureGates& gates);

// What is allowed and probably not meant: deprecated fields, exclusions without effect, fields
// whose feature gate is off.
schema::Problems WarningsForConfiguration(const Configuration& configuration,
                                          const FeatureGates& gates);

}  // namespace berth::api
