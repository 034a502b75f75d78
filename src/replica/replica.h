#pragma once

// The controllers on a real cluster: what `berth controller` runs. Any number of replicas may run;
// the one that holds the lease acts, the others keep their picture of the cluster up to date and
// take over at once.

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "base/error.h"
#include "jobs/integration_set.h"
#include "kube/access.h"
#include "observe/metrics.h"

namespace berth::replica {

class Replica {
 public:
  struct Options {
    kube::Access access;
    api::Configuration configuration;  // with its defaults
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    observe::BuildInfo build;
    // What goes wrong, and what goes well. Called from any thread.
    std::function<void(std::string_view)> log = [](std::string_view) {};
    std::function<void(std::string_view)> note = [](std::string_view) {};
  };

  // Returns when everything has begun; an API server that cannot be reached is waited for.
  static base::Result<std::unique_ptr<Replica>> Start(Options options);
  // Stops acting, and then hands over.
  ~Replica();

  bool IsLeading() const;
  // Whether everything was seen once, so that it could act, and webhooks are served.
  bool IsReady() const;
  // Whether it led and could not keep that: the process should end.
  bool HasLost() const;
  // Whether the controllers have nothing to do, as of some moment during the call.
  bool IsQuiet();
  uint16_t probe_port() const;    // 0 if there are none
  uint16_t metrics_port() const;  // the same
  uint16_t visibility_port() const;

 private:
  struct Parts;
  explicit Replica(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::replica
