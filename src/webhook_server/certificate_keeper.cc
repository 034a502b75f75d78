#include "webhook_server/certificate_keeper.h"

#include <chrono>
#include <utility>
#include <vector>

#include "api/registry.h"
#include "api/secret.h"
#include "api/well_known.h"
#include "apiserver/base64.h"
#include "apiserver/private_file.h"
#include "schema/encode.h"
#include "schema/yaml_binary.h"
#include "store/json.h"
#include "store/system_time.h"
#include "store/wait_for.h"
#include "webhook_server/certificate_plan.h"

namespace berth::webhook_server {
namespace {

namespace json = store::json;

constexpr base::Duration kCallLimit = base::Duration::Seconds(20);

const store::Resource kMutatingConfigurations{.group = "admissionregistration.k8s.io",
                                              .version = "v1",
                                              .plural = "mutatingwebhookconfigurations",
                                              .kind = "MutatingWebhookConfiguration"};
const store::Resource kValidatingConfigurations{.group = "admissionregistration.k8s.io",
                                                .version = "v1",
                                                .plural = "validatingwebhookconfigurations",
                                                .kind = "ValidatingWebhookConfiguration"};
const store::Resource kDefinitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .plural = "customresourcedefinitions",
                                   .kind = "CustomResourceDefinition"};

SecretFiles FilesOf(const api::Secret& secret) {
  SecretFiles files;
  for (const auto& [name, value] : secret.data)
    if (auto decoded = schema::DecodeBase64(value)) files[name] = std::move(*decoded);
  return files;
}

store::Call WriteOfSecret(api::Secret secret, const SecretFiles& files) {
  for (const auto& [name, text] : files) secret.data.Set(name, apiserver::EncodeBase64(text));
  const store::Resource resource = store::ResourceOf<api::Secret>();
  if (secret.metadata.resource_version.empty())
    return store::Create{.resource = resource,
                         .namespace_ = secret.metadata.namespace_,
                         .object = schema::Encode(secret),
                         .options = {}};
  return store::Update{.resource = resource,
                       .namespace_ = secret.metadata.namespace_,
                       .name = secret.metadata.name,
                       .object = schema::Encode(secret),
                       .options = {}};
}

}  // namespace

CertificateKeeper::CertificateKeeper(store::Store& store, Settings settings,
                                     OnCredentials on_credentials)
    : store_(store),
      settings_(std::move(settings)),
      on_credentials_(std::move(on_credentials)),
      looks_(settings_.pace, [this] { return Look(); }) {}

bool CertificateKeeper::Fail(const std::string& what) {
  settings_.log("Certificates of the " + settings_.subject + ": " + what);
  return false;
}

bool CertificateKeeper::Look() {
  return settings_.directory.empty() ? LookInSecret() : LookInDirectory();
}

bool CertificateKeeper::LookInDirectory() {
  const auto certificate = apiserver::ReadWholeFile(settings_.directory + "/tls.crt");
  const auto key = apiserver::ReadWholeFile(settings_.directory + "/tls.key");
  if (!certificate || !key)
    return Fail("there are no tls.crt and tls.key in " + settings_.directory);
  // Clients that show a certificate are none of ours; any authority will do.
  return Serve({.authority = *certificate,
                .server = {.certificate = *certificate, .key = *key},
                .admin = {}});
}

bool CertificateKeeper::LookInSecret() {
  api::Secret secret;
  secret.metadata.namespace_ = settings_.namespace_;
  secret.metadata.name = settings_.secret;
  const auto got = store::WaitFor(store_,
                                  store::Get{.resource = store::ResourceOf<api::Secret>(),
                                             .namespace_ = settings_.namespace_,
                                             .name = settings_.secret},
                                  kCallLimit);
  if (!got && !got.error().IsNotFound()) return Fail(store::ToString(got.error()));
  if (got) {
    auto read = got->object.Decode<api::Secret>();
    if (!read) return Fail("the Secret " + settings_.secret + " cannot be read");
    secret = std::move(*read);
  }
  const auto plan = PlanCertificates(
      FilesOf(secret), {ServiceName(settings_.service, settings_.namespace_)}, store::SystemTime());
  if (!plan) return Fail(base::ToString(plan.error()));
  if (plan->files) {
    const auto written =
        store::WaitFor(store_, WriteOfSecret(std::move(secret), *plan->files), kCallLimit);
    // Another replica may have been quicker; then its certificate is ours.
    if (!written) return Fail(store::ToString(written.error()));
  }
  const bool is_served = Serve(plan->credentials);
  return TellCallers(plan->credentials.authority) && is_served;
}

bool CertificateKeeper::Serve(const apiserver::TlsCredentials& credentials) {
  if (credentials.server.certificate == served_) return true;
  if (!on_credentials_(credentials)) return false;
  served_ = credentials.server.certificate;
  return true;
}

bool CertificateKeeper::TellCallers(const std::string& authority) {
  bool is_well =
      TellCaller(kMutatingConfigurations, "kueue-mutating-webhook-configuration", authority);
  is_well &=
      TellCaller(kValidatingConfigurations, "kueue-validating-webhook-configuration", authority);
  for (const schema::Kind* kind : api::AllKinds())
    if (kind->group == api::kKueueGroup && kind->is_converted)
      is_well &= TellCaller(kDefinitions,
                            std::string(kind->plural) + "." + std::string(kind->group), authority);
  return is_well;
}

bool CertificateKeeper::TellCaller(const store::Resource& resource, const std::string& name,
                                   const std::string& authority) {
  const auto got = store::WaitFor(
      store_, store::Get{.resource = resource, .namespace_ = "", .name = name}, kCallLimit);
  if (!got) return got.error().IsNotFound() || Fail(store::ToString(got.error()));
  const auto tree = store::ParseJson(got->object.text());
  if (!tree) return Fail(name + " cannot be read");
  const auto changed = WithAuthority(*tree, settings_.service, authority);
  if (!changed) return true;
  const auto written = store::WaitFor(store_,
                                      store::Update{.resource = resource,
                                                    .namespace_ = "",
                                                    .name = name,
                                                    .object = store::PrintJson(*changed),
                                                    .options = {}},
                                      kCallLimit);
  return written || Fail(store::ToString(written.error()));
}

}  // namespace berth::webhook_server
