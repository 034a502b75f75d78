#pragma once

#include "api/feature_gates.h"

namespace berth::api {

// What the rules about single objects depend on besides the objects.
struct ValidationOptions {
  FeatureGates gates;
  // The Configuration's quotaCheck is OnlyDeclared and in force.
  bool checks_only_declared = false;
};

}  // namespace berth::api
