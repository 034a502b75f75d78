#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::kube {

// A parsed URL such as "https://[::1]:6443/prefix".
struct Endpoint {
  bool is_tls = true;
  std::string host;  // a name or an IP address, without brackets
  uint16_t port = 443;
  std::string prefix;  // "" or "/prefix", without a trailing slash
  std::string user;    // "name:password"; proxies only

  // "[::1]:6443", as in a Host header.
  std::string Authority() const;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// http:// or https://; https without a scheme.
base::Result<Endpoint> ParseEndpoint(std::string_view url);

}  // namespace berth::kube
