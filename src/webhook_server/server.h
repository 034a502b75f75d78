#pragma once

// The HTTPS server of the admission and conversion webhooks: /mutate-…, /validate-… and /convert,
// at Kueue's paths.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "http/tls_credentials.h"
#include "jobs/integration_set.h"
#include "store/store.h"

namespace berth::webhook_server {

// The TLS settings of the Configuration, for webhooks, metrics and the visibility API.
http::TlsLimits TlsLimitsOf(const api::Configuration& configuration,
                            const api::FeatureGates& gates);

class Server {
 public:
  struct Options {
    api::Configuration configuration;  // defaulted
    api::FeatureGates gates;
    const jobs::IntegrationSet* integrations = &jobs::IntegrationSet::BuiltIn();
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };

  // Starts at once; serves when there is a certificate and the informers have synced. The store
  // must outlive the server and allow writes.
  Server(store::Store& store, Options options);
  ~Server();

  bool IsReady() const;
  uint16_t port() const;  // 0 while not serving

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::webhook_server
