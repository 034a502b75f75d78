#include "kube/endpoint.h"

#include <charconv>

namespace berth::kube {
namespace {

constexpr std::string_view kEndpointHint = "write it as https://host:port";

std::unexpected<base::Error> NoEndpoint(std::string_view url, const std::string& why) {
  return base::Fail("\"" + std::string(url) + "\" is no address of a server: " + why,
                    std::string(kEndpointHint));
}

// Cuts the text before the separator off; "" if there is no separator.
std::string_view CutBefore(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return before;
}

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_' || c == ':' || c == '%';
}

}  // namespace

std::string Endpoint::Authority() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

base::Result<Endpoint> ParseEndpoint(std::string_view url) {
  Endpoint endpoint;
  std::string_view rest = url;
  const std::string_view scheme = CutBefore(rest, "://");
  if (!scheme.empty() && scheme != "https" && scheme != "http")
    return NoEndpoint(url, "only https and http are spoken, not " + std::string(scheme));
  endpoint.is_tls = scheme != "http";
  endpoint.port = endpoint.is_tls ? 443 : 80;
  const size_t slash = std::min(rest.find('/'), rest.size());
  endpoint.prefix = rest.substr(slash);
  while (endpoint.prefix.ends_with('/')) endpoint.prefix.pop_back();
  std::string_view authority = rest.substr(0, slash);
  endpoint.user = CutBefore(authority, "@");

  std::string_view port;
  if (authority.starts_with('[')) {
    authority.remove_prefix(1);
    endpoint.host = CutBefore(authority, "]");
    if (authority.starts_with(':')) port = authority.substr(1);
  } else {
    const size_t colon = std::min(authority.find(':'), authority.size());
    endpoint.host = authority.substr(0, colon);
    if (colon < authority.size()) port = authority.substr(colon + 1);
  }
  if (endpoint.host.empty()) return NoEndpoint(url, "it names no host");
  for (const char c : endpoint.host)
    if (!IsHostCharacter(c)) return NoEndpoint(url, "its host has a character that no name has");
  for (const char c : endpoint.prefix)
    if (c <= ' ' || c == 127 || c == '?' || c == '#')
      return NoEndpoint(url, "its path has a character that no path has");
  if (port.empty()) return endpoint;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  if (error != std::errc() || end != port.data() + port.size() || endpoint.port == 0)
    return NoEndpoint(url, "its port is not a number from 1 to 65535");
  return endpoint;
}

}  // namespace berth::kube
