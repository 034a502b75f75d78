#pragma once

#include <functional>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/error.h"

namespace berth::control {

// Whether a controller may start with this Configuration, which must have its defaults. The Error
// lists all problems. Warnings and notices are logged.
base::Result<void> CheckConfiguration(const api::Configuration& configuration,
                                      const api::FeatureGates& gates,
                                      const std::function<void(std::string_view)>& log);

}  // namespace berth::control
