#pragma once

#include <string>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"

namespace berth::api {

// What the rules about single objects depend on besides the objects.
struct ValidationOptions {
  FeatureGates gates;
  // The Configuration's quotaCheck is OnlyDeclared and in force.
  bool checks_only_declared = false;
  // The Configuration's excludeResourcePrefixes, for all queues.
  std::vector<std::string> excluded_prefixes = {};

  static ValidationOptions From(const Configuration& configuration, const FeatureGates& gates);
};

}  // namespace berth::api
