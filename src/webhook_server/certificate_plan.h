#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/tls_credentials.h"
#include "base/error.h"
#include "base/time.h"
#include "store/json.h"

namespace berth::webhook_server {

// The files of a Secret, decoded, by name.
using SecretFiles = std::map<std::string, std::string, std::less<>>;

struct CertificatePlan {
  apiserver::TlsCredentials credentials;  // to serve with; there is no administrator
  // What the Secret is to hold instead; nullopt if what it holds is good.
  std::optional<SecretFiles> files;
};

// The certificate that the webhooks serve with, kept in a Secret so that all replicas have the
// same: ca.crt, ca.key, tls.crt and tls.key. What is missing, damaged, near its end or without one
// of the names is made anew.
base::Result<CertificatePlan> PlanCertificates(const SecretFiles& files,
                                               const std::vector<std::string>& names,
                                               base::Time now);

// The name under which an API server reaches a Service.
std::string ServiceName(std::string_view service, std::string_view namespace_name);

// A webhook configuration, or a CustomResourceDefinition that is converted by a webhook, that
// trusts the authority. Nullopt if it does so already, or calls no service of ours.
std::optional<store::json::value> WithAuthority(const store::json::value& object,
                                                std::string_view service,
                                                std::string_view authority);

}  // namespace berth::webhook_server
