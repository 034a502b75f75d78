#pragma once

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "engine/options.h"

namespace berth::workload {

// What the Configuration and its gates mean to the engine.
engine::EngineOptions EngineOptionsFrom(const api::Configuration& configuration,
                                        const api::FeatureGates& gates);

}  // namespace berth::workload
