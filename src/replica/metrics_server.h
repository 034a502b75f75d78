#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "replica/protected_server.h"
#include "store/store.h"

namespace berth::replica {

// Serves /metrics over TLS to bearer tokens whose user may get the path /metrics.
class MetricsServer {
 public:
  // Passes the text to `then` on the executor.
  using Scrape = std::function<void(store::Executor& executor,
                                    std::move_only_function<void(std::string)> then)>;

  // Listens when this returns. The store must outlive the server and allow writes.
  static base::Result<std::unique_ptr<MetricsServer>> Start(store::Store& store, Scrape scrape,
                                                            ProtectedServer::Options options);
  ~MetricsServer();

  uint16_t port() const;

 private:
  class Endpoint;
  MetricsServer(store::Store& store, Scrape scrape, ProtectedServer::Options options);

  std::unique_ptr<Endpoint> endpoint_;
  ProtectedServer server_;
};

}  // namespace berth::replica
