#include "api/meta/validation_options.h"

namespace berth::api {

ValidationOptions ValidationOptions::From(const Configuration& configuration,
                                          const FeatureGates& gates) {
  ValidationOptions options{
      .gates = gates,
      .checks_only_declared = ChecksOnlyDeclared(configuration.resources, gates),
  };
  if (configuration.resources)
    options.excluded_prefixes = configuration.resources->exclude_resource_prefixes;
  return options;
}

}  // namespace berth::api
