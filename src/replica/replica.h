#pragma once

// The controllers on a real cluster, as `berth controller` runs them. Any number of replicas may
// run. The holder of the lease reconciles; the followers keep their informers in sync and take over
// at once.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "base/error.h"
#include "jobs/integration_set.h"
#include "journal/recorder.h"
#include "kube/access.h"
#include "observe/metrics.h"
#include "store/tapped_store.h"

namespace berth::replica {

class Replica {
 public:
  struct Options {
    kube::Access access;
    api::Configuration configuration;  // defaulted
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    observe::BuildInfo build;
    // Errors go to `log`, progress to `note`. Called from any thread.
    std::function<void(std::string_view)> log = [](std::string_view) {};
    std::function<void(std::string_view)> note = [](std::string_view) {};
    std::optional<journal::Settings> journal = {};
    store::Taps taps = {};  // of the controllers; for tests
    // Of the dashboard, ":8443" for one; "0" does not serve it.
    std::string dashboard_address = "0";
    // Of its certificate; see CertifiedServer.
    std::string dashboard_certificates = {};
  };

  // Returns when all parts have started. An unreachable API server is retried in the background.
  static base::Result<std::unique_ptr<Replica>> Start(Options options);
  // Stops the controllers, then releases the lease.
  ~Replica();

  bool IsLeading() const;
  // Whether the informers have synced and webhooks are served.
  bool IsReady() const;
  // Whether the lease was lost: the process should exit.
  bool HasLost() const;
  // Whether the controllers were idle at some moment during the call.
  bool IsQuiet();
  // 0 if not served.
  uint16_t probe_port() const;
  uint16_t metrics_port() const;
  uint16_t visibility_port() const;
  uint16_t dashboard_port() const;

 private:
  struct Parts;
  explicit Replica(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::replica
