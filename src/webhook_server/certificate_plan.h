#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "http/tls_credentials.h"
#include "json/json.h"

namespace berth::webhook_server {

// The files of a Secret, decoded, by name.
using SecretFiles = std::map<std::string, std::string, std::less<>>;

struct CertificatePlan {
  http::TlsCredentials credentials;  // for serving; `admin` is empty
  // The new content of the Secret; nullopt if it is up to date.
  std::optional<SecretFiles> files;
};

// Plans the serving certificate of the webhooks, kept in a Secret shared by all replicas: ca.crt,
// ca.key, tls.crt and tls.key. Certificates that are missing, damaged, near expiry or lack one of
// the names are reissued.
base::Result<CertificatePlan> PlanCertificates(const SecretFiles& files,
                                               const std::vector<std::string>& names,
                                               base::Time now);

// The DNS name under which an API server calls a Service.
std::string ServiceName(std::string_view service, std::string_view namespace_name);

// A webhook configuration or a CustomResourceDefinition with its caBundle for the service set to
// the authority. Nullopt if it is up to date or does not call the service.
std::optional<json::value> WithAuthority(const json::value& object, std::string_view service,
                                         std::string_view authority);

}  // namespace berth::webhook_server
