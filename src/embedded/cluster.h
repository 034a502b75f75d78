#pragma once

// A cluster in one process: API server, webhooks, controllers with the engine, and simulated nodes.
// Used by `berth up` and by controller tests.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/error.h"
#include "base/time.h"
#include "embedded/nodes/simulated_node.h"
#include "jobs/integration_set.h"
#include "journal/recorder.h"
#include "observe/metrics.h"
#include "store/store.h"
#include "store/tapped_store.h"

namespace berth::embedded {

class Cluster {
 public:
  struct Options {
    // Directory of objects, certificates and the kubeconfig. "" keeps everything in memory.
    std::filesystem::path data_dir;
    std::filesystem::path kubeconfig;      // "": in the data directory; not written if in memory
    bool may_have_other_contexts = false;  // the kubeconfig, which keeps them
    std::string address = "127.0.0.1";
    uint16_t port = 0;                 // 0 picks a free port
    bool serves_https = true;          // otherwise reachable only in this process
    api::Configuration configuration;  // defaults already applied
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    observe::BuildInfo build;
    std::optional<embedded::SimulationSettings> nodes = embedded::SimulationSettings();
    std::function<void(std::string_view)> log = [](std::string_view) {};
    std::optional<journal::Settings> journal = {};
    store::Taps taps = {};  // of the controllers; for tests
    // Of the dashboard, on 127.0.0.1 only; not served if absent. 0 picks a free port.
    std::optional<uint16_t> dashboard_port = {};
    bool may_use_other_dashboard_port = false;  // if that one is in use
  };

  // Serves on return. Fails if the Configuration is invalid.
  static base::Result<std::unique_ptr<Cluster>> Start(Options options);
  // Finishes requests in progress.
  ~Cluster();

  std::string url() const;
  // With its token; "" if it is not served.
  std::string dashboard_url() const;
  const std::filesystem::path& kubeconfig() const;
  store::Store& store();
  // True if the controllers were idle at some moment during the call.
  bool IsQuiet();
  // For tests: lets time pass at once for the API server and the controllers.
  void Advance(base::Duration duration);
  base::Time Now() const;
  // The response of /metrics.
  std::string MetricsText();

 private:
  struct Parts;
  explicit Cluster(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::embedded
