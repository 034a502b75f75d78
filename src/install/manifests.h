#pragma once

// The manifests that run Berth on a cluster, as `berth install` prints them. Names are Kueue's, so
// that Berth replaces Kueue.

#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "jobs/integration_set.h"
#include "json/json.h"

namespace berth::install {

// The ConfigMap with the Configuration; `kueue-manager-config` as in Kueue.
inline constexpr std::string_view kConfigurationMap = "kueue-manager-config";
inline constexpr std::string_view kConfigurationFile = "controller_manager_config.yaml";

struct Options {
  api::Configuration configuration;  // defaulted
  std::string configuration_text;    // YAML to mount
  const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
  std::string image = "berth:latest";
  int replicas = 2;
  bool has_service_monitor = false;
  bool has_dashboard = false;
};

// In apply order.
std::vector<json::value> Manifests(const Options& options);

// The parts.
std::vector<json::value> Definitions(const Options& options);
std::vector<json::value> Roles(const Options& options);
std::vector<json::value> Webhooks(const Options& options);
// The namespace, the Configuration, the Deployment, its Services and policies.
std::vector<json::value> Deployment(const Options& options);

// The port of the metrics; 0 if disabled.
int MetricsPort(const Options& options);
// The port of the visibility API; 0 if disabled.
int VisibilityPort(const Options& options);

// The job integrations of the Configuration, and pods if a listed kind is queued through its pods.
std::vector<const jobs::Integration*> ListedIntegrations(const Options& options);

}  // namespace berth::install
