#pragma once

#include <string_view>

#include "api/config/feature_gates.h"
#include "json/json.h"

namespace berth::webhook {

// The defaults of our own kinds that are no defaults of a field. On create, ClusterQueues and
// ResourceFlavors get the finalizer that keeps them while they are used: an object that is deleted
// before a controller sees it is protected, too, and the version that creation returns is current.
void ApplyObjectDefaults(std::string_view kind, bool is_create, const api::FeatureGates& gates,
                         json::value& object);

}  // namespace berth::webhook
