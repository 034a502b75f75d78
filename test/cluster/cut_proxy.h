#pragma once

#include <cstdint>
#include <memory>

namespace berth::cluster {

// A TCP proxy to a loopback server whose connections can be cut.
class CutProxy {
 public:
  explicit CutProxy(uint16_t server_port);
  ~CutProxy();

  uint16_t port() const;
  // Closes all current connections and accepts new ones. Returns the number closed.
  size_t Cut();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::cluster
