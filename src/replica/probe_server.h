#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "replica/bind_address.h"

namespace berth::replica {

// What is asked for under a path, such as "/readyz". Called on the server's thread.
struct Probe {
  std::string path;
  std::function<bool()> is_well;
};

// Answers the probes of a kubelet: plain HTTP, 200 or 500, one short request a connection. A thread
// of its own, so that it answers whatever else is going on.
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
