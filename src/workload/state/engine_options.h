#pragma once

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "engine/options.h"

namespace berth::workload {

// The options of the engine from the Configuration and its gates.
engine::EngineOptions EngineOptionsFrom(const api::Configuration& configuration,
                                        const api::FeatureGates& gates);

}  // namespace berth::workload
