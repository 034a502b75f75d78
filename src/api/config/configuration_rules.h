#pragma once

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "schema/problem.h"

namespace berth::api {

// Validates a Configuration, which has no CRD. Apply defaults first; otherwise defaulted fields are
// reported as missing.
schema::Problems ValidateConfiguration(const Configuration& configuration,
                                       const FeatureGates& gates);

// Warns of likely mistakes: deprecated fields, exclusions without effect, fields whose feature gate
// is off, gates that switch nothing.
schema::Problems WarningsForConfiguration(const Configuration& configuration,
                                          const FeatureGates& gates);

// What a gate changes in the meaning of fields of Kueue, to be logged at start: entries of
// excludeResourcePrefixes that match other resources with ClusterQueueResourceExclusion.
schema::Problems NoticesForConfiguration(const Configuration& configuration,
                                         const FeatureGates& gates);

}  // namespace berth::api
