#include "webhook_server/certificate_plan.h"

#include <utility>

#include "apiserver/base64.h"
#include "apiserver/certificates.h"

namespace berth::webhook_server {
namespace {

namespace json = store::json;

constexpr std::string_view kAuthorityName = "kueue-ca";

std::string FileOf(const SecretFiles& files, std::string_view name) {
  const auto found = files.find(name);
  return found == files.end() ? "" : found->second;
}

bool LastsLongEnough(std::string_view certificate, base::Time now) {
  const auto facts = apiserver::ReadCertificate(certificate);
  return facts && facts->not_before <= now && facts->not_after - now > apiserver::kRenewalMargin;
}

bool IsGoodAuthority(const apiserver::KeyPair& authority, base::Time now) {
  return LastsLongEnough(authority.certificate, now) &&
         apiserver::IsIntact(authority, authority.certificate);
}

bool IsGoodServer(const apiserver::KeyPair& server, const apiserver::KeyPair& authority,
                  const std::vector<std::string>& names, base::Time now) {
  if (!LastsLongEnough(server.certificate, now)) return false;
  const auto facts = apiserver::ReadCertificate(server.certificate);
  return facts && apiserver::Covers(*facts, names) &&
         apiserver::IsIntact(server, authority.certificate);
}

// Sets caBundle where the service is called. Whether something changed.
bool TrustIn(json::value* client_config, std::string_view service, const std::string& bundle) {
  if (client_config == nullptr || !client_config->is_object() ||
      store::JsonStringAt(*client_config, {"service", "name"}) != service ||
      store::JsonStringAt(*client_config, {"caBundle"}) == bundle)
    return false;
  client_config->get_object()["caBundle"] = bundle;
  return true;
}

}  // namespace

base::Result<CertificatePlan> PlanCertificates(const SecretFiles& files,
                                               const std::vector<std::string>& names,
                                               base::Time now) {
  apiserver::KeyPair authority{.certificate = FileOf(files, "ca.crt"),
                               .key = FileOf(files, "ca.key")};
  apiserver::KeyPair server{.certificate = FileOf(files, "tls.crt"),
                            .key = FileOf(files, "tls.key")};
  const bool keeps_authority = IsGoodAuthority(authority, now);
  const bool keeps_server = keeps_authority && IsGoodServer(server, authority, names, now);
  if (!keeps_authority) {
    auto made = apiserver::MakeAuthority(kAuthorityName, now);
    if (!made) return std::unexpected(made.error());
    authority = std::move(*made);
  }
  if (!keeps_server) {
    auto made = apiserver::IssueServer(authority, names, now);
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
  const std::string bundle = apiserver::EncodeBase64(authority);
  bool is_changed = TrustIn(
      store::FindJson(changed, {"spec", "conversion", "webhook", "clientConfig"}), service, bundle);
  json::value* webhooks = store::FindJson(changed, {"webhooks"});
  if (webhooks != nullptr && webhooks->is_array())
    for (json::value& webhook : webhooks->get_array())
      is_changed |= TrustIn(store::FindJson(webhook, {"clientConfig"}), service, bundle);
  if (!is_changed) return std::nullopt;
  return changed;
}

}  // namespace berth::webhook_server
