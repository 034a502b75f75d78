#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "replica/bind_address.h"

namespace berth::replica {

// A health check at a path such as "/readyz". Called on the server's thread.
struct Probe {
  std::string path;
  std::function<bool()> is_healthy;
};

// Answers kubelet probes: plain HTTP, 200 or 500, one request per connection, and a few
// connections at a time. Runs on its own thread, independent of the load on others.
class ProbeServer {
 public:
  // Listens when this returns.
  static base::Result<std::unique_ptr<ProbeServer>> Start(const BindAddress& address,
                                                          std::vector<Probe> probes);
  ~ProbeServer();

  uint16_t port() const;

 private:
  class Listener;
  explicit ProbeServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace berth::replica
