#pragma once

// A whole cluster in one process: the API server that kubectl talks to, the webhooks, the
// controllers with the engine, and nodes that only pretend. What `berth up` runs, and what tests of
// the controllers run on.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "base/error.h"
#include "control/simulated_node.h"
#include "jobs/integration_set.h"
#include "observe/metrics.h"
#include "store/store.h"

namespace berth::embedded {

class Cluster {
 public:
  struct Options {
    // Where objects, certificates and the kubeconfig are kept. "" keeps all in memory.
    std::filesystem::path data_dir;
    std::filesystem::path kubeconfig;  // "": in the data directory; in memory, none is written
    std::string address = "127.0.0.1";
    uint16_t port = 0;                 // 0 is any that is free
    bool serves_https = true;          // otherwise only callers in this process reach it
    api::Configuration configuration;  // with its defaults
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    observe::BuildInfo build;
    std::optional<control::SimulationSettings> nodes = control::SimulationSettings();
    std::function<void(std::string_view)> log = [](std::string_view) {};
    // Sees what the controllers ask of the server, on their thread; for tests.
    std::function<void(const store::Call&)> on_call = [](const store::Call&) {};
  };

  // Serves when this returns. Fails with a Configuration that has errors.
  static base::Result<std::unique_ptr<Cluster>> Start(Options options);
  // Requests that are under way are finished first.
  ~Cluster();

  std::string url() const;
  const std::filesystem::path& kubeconfig() const;
  store::Store& store();
  // Whether the controllers have nothing to do, as of some moment during the call.
  bool IsQuiet();
  // What it serves at /metrics.
  std::string MetricsText();

 private:
  struct Parts;
  explicit Cluster(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::embedded
