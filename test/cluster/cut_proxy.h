#pragma once

#include <cstdint>
#include <memory>

namespace berth::cluster {

// A way to a server on the loopback that can be cut. It looks at nothing that passes.
class CutProxy {
 public:
  explicit CutProxy(uint16_t server_port);
  ~CutProxy();

  uint16_t port() const;
  // Ends all connections that there are; new ones are let through. Returns how many there were.
  size_t Cut();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::cluster
