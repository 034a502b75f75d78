#pragma once

// What several commands take: objects from files, and the Configuration that goes with them.

#include <optional>
#include <string>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/manifest.h"
#include "cli/output.h"

namespace berth::cli {

// Everything that the files say, or nothing if something could not be read.
std::optional<std::vector<api::Manifest>> ReadManifests(const std::vector<std::string>& paths,
                                                        Output& err);

struct Settings {
  api::Configuration configuration;  // with its defaults
  api::FeatureGates gates;
  bool is_given = false;  // somebody wrote a Configuration
};

// The Configuration of the file, else the one among the manifests, else the defaults.
// `feature_gates` is the text of --feature-gates, which only one of the two may set.
std::optional<Settings> ReadSettings(const std::string& file,
                                     const std::vector<api::Manifest>& manifests, Output& err,
                                     const std::string& feature_gates = {});

}  // namespace berth::cli
