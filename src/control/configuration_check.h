#pragma once

#include <functional>
#include <string_view>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "base/error.h"

namespace berth::control {

// Whether a controller may start with this Configuration, which must have its defaults. The Error
// has all that is wrong. What is allowed and probably not meant is logged, once.
base::Result<void> CheckConfiguration(const api::Configuration& configuration,
                                      const api::FeatureGates& gates,
                                      const std::function<void(std::string_view)>& log);

}  // namespace berth::control
