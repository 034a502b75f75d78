#pragma once

// Requests that the cluster's API server passes on for its users, as it does for APIs that others
// serve. It proves itself with a client certificate of an authority made for that, and header
// fields say for whom it asks.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/http_message.h"
#include "store/json.h"

namespace berth::replica {

struct FrontProxy {
  std::string authority;           // PEM
  std::vector<std::string> names;  // that its certificate may have; none: any

  // From the ConfigMap extension-apiserver-authentication, where an API server writes it. Nullopt
  // if it has no such proxy.
  static std::optional<FrontProxy> FromConfigMap(std::string_view json);

  // For whom the proxy asks, as a SubjectAccessReview names them. Empty if the request does not
  // come from it, or it does not say.
  store::json::object UserBehind(const apiserver::HttpRequest& request) const;

  friend bool operator==(const FrontProxy&, const FrontProxy&) = default;
};

}  // namespace berth::replica
