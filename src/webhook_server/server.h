#pragma once

// The webhooks that a cluster's API server calls: /mutate-…, /validate-… and /convert, at Kueue's
// paths, over HTTPS.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "apiserver/tls_credentials.h"
#include "jobs/integration_set.h"
#include "store/store.h"

namespace berth::webhook_server {

// What the Configuration says about TLS; of metrics, too.
apiserver::TlsLimits TlsLimitsOf(const api::Configuration& configuration,
                                 const api::FeatureGates& gates);

class Server {
 public:
  struct Options {
    api::Configuration configuration;  // with its defaults
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };

  // Begins at once; serves as soon as there is a certificate and what reviews look up is known. The
  // store, which must let us write, must outlive it.
  Server(store::Store& store, Options options);
  ~Server();

  bool IsReady() const;
  uint16_t port() const;  // 0 while it does not serve

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::webhook_server
