#pragma once

#include <string>
#include <string_view>

#include "store/call.h"

namespace berth::kube {

// A request as it goes over the wire, but for the header fields that are the same for all.
struct Request {
  std::string method;
  std::string target;        // path and query, percent-encoded
  std::string content_type;  // "" if there is no body
  std::string body;

  bool is_read() const { return method == "GET"; }

  friend bool operator==(const Request&, const Request&) = default;
};

// What a call is as a request. `prefix` is the path of the server's own address.
Request RequestFor(const store::Call& call, std::string_view prefix = {});
Request RequestFor(const store::Watch& watch, std::string_view prefix = {});

// Everything but letters, digits and -._~ as %XX.
std::string PercentEncoded(std::string_view text);

}  // namespace berth::kube
