#include "webhook_server/certificate_plan.h"

#include <utility>

#include "base/base64.h"
#include "http/certificates.h"

namespace berth::webhook_server {
namespace {

constexpr std::string_view kAuthorityName = "kueue-ca";

std::string FileOf(const SecretFiles& files, std::string_view name) {
  const auto found = files.find(name);
  return found == files.end() ? "" : found->second;
}

bool LastsLongEnough(std::string_view certificate, base::Time now) {
  const auto facts = http::ReadCertificate(certificate);
  return facts && facts->not_before <= now && facts->not_after - now > http::kRenewalMargin;
}

bool IsGoodAuthority(const http::KeyPair& authority, base::Time now) {
  return LastsLongEnough(authority.certificate, now) &&
         http::IsIntact(authority, authority.certificate);
}

bool IsGoodServer(const http::KeyPair& server, const http::KeyPair& authority,
                  const std::vector<std::string>& names, base::Time now) {
  if (!LastsLongEnough(server.certificate, now)) return false;
  const auto facts = http::ReadCertificate(server.certificate);
  return facts && http::Covers(*facts, names) && http::IsIntact(server, authority.certificate);
}

// Sets the caBundle of each clientConfig for the service. True if one changed.
bool TrustIn(json::value* client_config, std::string_view service, const std::string& bundle) {
  if (client_config == nullptr || !client_config->is_object() ||
      json::StringAt(*client_config, {"service", "name"}) != service ||
      json::StringAt(*client_config, {"caBundle"}) == bundle)
    return false;
  client_config->get_object()["caBundle"] = bundle;
  return true;
}

}  // namespace

base::Result<CertificatePlan> PlanCertificates(const SecretFiles& files,
                                               const std::vector<std::string>& names,
                                               base::Time now) {
  http::KeyPair authority{.certificate = FileOf(files, "ca.crt"), .key = FileOf(files, "ca.key")};
  http::KeyPair server{.certificate = FileOf(files, "tls.crt"), .key = FileOf(files, "tls.key")};
  const bool keeps_authority = IsGoodAuthority(authority, now);
  const bool keeps_server = keeps_authority && IsGoodServer(server, authority, names, now);
  if (!keeps_authority) {
    auto made = http::MakeAuthority(kAuthorityName, now);
    if (!made) return std::unexpected(made.error());
    authority = std::move(*made);
  }
  if (!keeps_server) {
    auto made = http::IssueServer(authority, names, now);
    if (!made) return std::unexpected(made.error());
    server = std::move(*made);
  }
  CertificatePlan plan{
      .credentials = {.authority = authority.certificate, .server = server, .admin = {}}};
  if (!keeps_server)
    plan.files = SecretFiles{{"ca.crt", authority.certificate},
                             {"ca.key", authority.key},
                             {"tls.crt", server.certificate},
                             {"tls.key", server.key}};
  return plan;
}

std::string ServiceName(std::string_view service, std::string_view namespace_name) {
  return std::string(service) + "." + std::string(namespace_name) + ".svc";
}

std::optional<json::value> WithAuthority(const json::value& object, std::string_view service,
                                         std::string_view authority) {
  json::value changed = object;
  const std::string bundle = base::EncodeBase64(authority);
  bool is_changed = TrustIn(json::Find(changed, {"spec", "conversion", "webhook", "clientConfig"}),
                            service, bundle);
  json::value* webhooks = json::Find(changed, {"webhooks"});
  if (webhooks != nullptr && webhooks->is_array())
    for (json::value& webhook : webhooks->get_array())
      is_changed |= TrustIn(json::Find(webhook, {"clientConfig"}), service, bundle);
  if (!is_changed) return std::nullopt;
  return changed;
}

}  // namespace berth::webhook_server
