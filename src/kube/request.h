#pragma once

#include <string>
#include <string_view>

#include "store/call.h"

namespace berth::kube {

// An HTTP request without the headers common to all requests.
struct Request {
  std::string method;
  std::string target;        // path and query, percent-encoded
  std::string content_type;  // "" if there is no body
  std::string body;

  bool is_read() const { return method == "GET"; }

  friend bool operator==(const Request&, const Request&) = default;
};

// The HTTP request for a call. `prefix` is the path of the server URL.
Request RequestFor(const store::Call& call, std::string_view prefix = {});
Request RequestFor(const store::Watch& watch, std::string_view prefix = {});

// Escapes all characters but letters, digits and -._~.
std::string PercentEncoded(std::string_view text);

}  // namespace berth::kube
