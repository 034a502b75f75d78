#pragma once

// The front proxy of API aggregation: the cluster's API server forwards requests on behalf of its
// users. A client certificate of the request-header CA authenticates the proxy, and X-Remote-*
// headers name the user.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "json/json.h"

namespace berth::replica {

struct FrontProxy {
  std::string authority;           // PEM
  std::vector<std::string> names;  // allowed common names of its certificate; empty: any

  // From the API server's ConfigMap extension-apiserver-authentication. Nullopt if no front proxy
  // is configured.
  static std::optional<FrontProxy> FromConfigMap(std::string_view json);

  // The user of a forwarded request, as a SubjectAccessReview names it. Empty if the request is not
  // from the proxy or names no user.
  json::object ForwardedUser(const http::Request& request) const;

  friend bool operator==(const FrontProxy&, const FrontProxy&) = default;
};

}  // namespace berth::replica
