#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apiserver/tls_credentials.h"
#include "base/error.h"
#include "replica/bind_address.h"
#include "store/store.h"

namespace berth::replica {

// Serves /metrics over TLS, to whom the cluster allows it: a bearer token whose owner may get the
// path /metrics.
class MetricsServer {
 public:
  // Gives the text to `then`, on the executor.
  using Scrape = std::function<void(store::Executor& executor,
                                    std::move_only_function<void(std::string)> then)>;
  struct Options {
    BindAddress address;
    apiserver::TlsLimits tls;
    // A folder with tls.crt and tls.key, which somebody else keeps up to date. Without them, or if
    // it is "", the certificate is made here, and nobody can verify it.
    std::string certificates;
    Scrape scrape;
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };

  // Listens when this returns. The store, of the cluster that is asked about tokens, must outlive
  // it and let us write.
  static base::Result<std::unique_ptr<MetricsServer>> Start(store::Store& store, Options options);
  ~MetricsServer();

  uint16_t port() const;

 private:
  struct Parts;
  explicit MetricsServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::replica
