#pragma once

// Everything that a cluster needs to run Berth, as manifests: what `berth install` prints. The
// names are Kueue's, so that it takes Kueue's place.

#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "jobs/integration_set.h"
#include "store/json.h"

namespace berth::install {

// Where the Configuration is kept, for the processes and for whoever asks what they heed.
inline constexpr std::string_view kConfigurationMap = "kueue-manager-config";
inline constexpr std::string_view kConfigurationFile = "controller_manager_config.yaml";

struct Options {
  api::Configuration configuration;  // with its defaults
  std::string configuration_text;    // as it is to be mounted, YAML
  const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
  std::string image = "berth:latest";
  int replicas = 2;
  bool has_service_monitor = false;
};

// In the order in which they should be applied.
std::vector<store::json::value> Manifests(const Options& options);

// The parts.
std::vector<store::json::value> Definitions(const Options& options);
std::vector<store::json::value> Roles(const Options& options);
std::vector<store::json::value> Webhooks(const Options& options);
// The namespace, the configuration, what runs and what is around it.
std::vector<store::json::value> Deployment(const Options& options);

// Where metrics are served; 0 if they are not.
int MetricsPort(const Options& options);
// The same of who waits.
int VisibilityPort(const Options& options);

// The kinds of jobs that the Configuration lists, and pods where a set is listed that waits through
// them.
std::vector<const jobs::Integration*> ListedIntegrations(const Options& options);

}  // namespace berth::install
