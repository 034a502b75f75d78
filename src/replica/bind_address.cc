#include "replica/bind_address.h"

#include <charconv>

namespace berth::replica {

base::Result<std::optional<BindAddress>> ParseBindAddress(std::string_view text) {
  if (text.empty() || text == "0") return std::nullopt;
  const auto refuse = [&] {
    return base::Fail("\"" + std::string(text) + "\" is not a listen address",
                      "write :8081, or an IP address before the colon");
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse();
  BindAddress address{.ip = std::string(text.substr(0, colon))};
  if (address.ip.starts_with('[') && address.ip.ends_with(']'))
    address.ip = address.ip.substr(1, address.ip.size() - 2);
  if (address.ip.empty()) address.ip = "0.0.0.0";
  if (address.ip == "localhost") address.ip = "127.0.0.1";
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size()) return refuse();
  return address;
}

}  // namespace berth::replica
