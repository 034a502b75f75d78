#include "kube/exec_credential.h"

#include "json/json.h"
#include "schema/json/writer.h"

namespace berth::kube {
namespace {

constexpr base::Duration kStaleMargin = base::Duration::Seconds(30);

}  // namespace

std::string ExecInfo(const Access& access) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", access.exec->api_version).Member("kind", "ExecCredential");
  w.Key("spec").BeginObject().Member("interactive", false);
  if (access.exec->wants_cluster) {
    w.Key("cluster").BeginObject().Member("server", access.server);
    if (!access.tls_server_name.empty()) w.Member("tls-server-name", access.tls_server_name);
    if (access.skips_verification) w.Member("insecure-skip-tls-verify", true);
    if (!access.proxy.empty()) w.Member("proxy-url", access.proxy);
    w.EndObject();
  }
  w.EndObject().EndObject();
  return w.text();
}

base::Result<Credential> ReadExecCredential(std::string_view text, const ExecPlugin& plugin) {
  const auto refuse = [&](const std::string& why) {
    return base::Fail("the credential plugin " + plugin.command + " " + why,
                      "run it by hand and look at what it prints");
  };
  const auto tree = json::Parse(text);
  if (!tree) return refuse("printed no JSON");
  if (json::StringAt(*tree, {"kind"}) != "ExecCredential" ||
      json::StringAt(*tree, {"apiVersion"}) != plugin.api_version)
    return refuse("printed no ExecCredential of " + plugin.api_version);
  Credential credential{
      .token = std::string(json::StringAt(*tree, {"status", "token"})),
      .certificate = std::string(json::StringAt(*tree, {"status", "clientCertificateData"})),
      .key = std::string(json::StringAt(*tree, {"status", "clientKeyData"})),
      .expires = base::ParseTime(json::StringAt(*tree, {"status", "expirationTimestamp"}))};
  if (credential.certificate.empty() != credential.key.empty())
    return refuse("printed a certificate or its key, but not both");
  if (credential.token.empty() && credential.certificate.empty())
    return refuse("printed neither a token nor a certificate");
  return credential;
}

bool IsStale(const Credential& credential, base::Time now) {
  return credential.expires && *credential.expires - now < kStaleMargin;
}

}  // namespace berth::kube
