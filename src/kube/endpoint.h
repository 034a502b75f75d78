#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::kube {

// The parts of an address such as "https://[::1]:6443/prefix".
struct Endpoint {
  bool is_tls = true;
  std::string host;  // a name or an IP address, without brackets
  uint16_t port = 443;
  std::string prefix;  // "" or "/prefix", without a slash at the end
  std::string user;    // "name:password", of proxies

  // "[::1]:6443": as in a Host header field.
  std::string Authority() const;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// http:// and https://; without either, https.
base::Result<Endpoint> ParseEndpoint(std::string_view url);

}  // namespace berth::kube
