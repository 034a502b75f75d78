#pragma once

#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"

namespace berth::api {

// Inputs of validation besides the object itself.
struct ValidationOptions {
  FeatureGates gates;
  // quotaCheck OnlyDeclared is configured and in force.
  bool checks_only_declared = false;
  // The Configuration's excludeResourcePrefixes, which apply to all queues.
  std::vector<std::string> excluded_prefixes = {};

  static ValidationOptions From(const Configuration& configuration, const FeatureGates& gates);
};

}  // namespace berth::api
