#pragma once

// Input shared by several commands: objects from files, and the Configuration.

#include <optional>
#include <string>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"
#include "cli/output.h"

namespace berth::cli {

// All manifests of the files; nullopt, with messages on `err`, if something could not be read.
std::optional<std::vector<api::Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                                        Output& err);

struct Settings {
  api::Configuration configuration;  // with defaults applied
  api::FeatureGates gates;
  bool is_given = false;  // a Configuration was provided
};

// The Configuration from the file, else from the manifests, else the defaults. `feature_gates` is
// the value of --feature-gates, which excludes gates in the Configuration. Unknown gates and
// invalid values are errors; so are unknown fields, which ReadManifests reports for every
// Configuration.
std::optional<Settings> ReadSettings(const std::string& file,
                                     const std::vector<api::Manifest>& manifests, Output& err,
                                     const std::string& feature_gates = {});

}  // namespace berth::cli
