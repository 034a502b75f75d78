#include "webhook_server/certificate_keeper.h"

#include <chrono>
#include <utility>
#include <vector>

#include "api/core/secret.h"
#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "base/base64.h"
#include "http/private_file.h"
#include "json/json.h"
#include "store/create_or_update.h"
#include "store/system_time.h"
#include "store/wait_for.h"
#include "webhook_server/certificate_plan.h"

namespace berth::webhook_server {
namespace {

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
    if (auto decoded = base::DecodeBase64(value)) files[name] = std::move(*decoded);
  return files;
}

void SetFiles(const SecretFiles& files, api::Secret& secret) {
  for (const auto& [name, text] : files) secret.data.Set(name, base::EncodeBase64(text));
}

}  // namespace

CertificateKeeper::CertificateKeeper(store::Store& store, Settings settings,
                                     OnCredentials on_credentials)
    : store_(store),
      settings_(std::move(settings)),
      on_credentials_(std::move(on_credentials)),
      reconciles_(settings_.rate_limit, [this] { return Reconcile(); }) {}

bool CertificateKeeper::Fail(const std::string& what) {
  settings_.log("Certificates of the " + settings_.subject + ": " + what);
  return false;
}

bool CertificateKeeper::Reconcile() {
  return settings_.directory.empty() ? ReconcileSecret() : ReadDirectory();
}

bool CertificateKeeper::ReadDirectory() {
  const auto certificate = http::ReadWholeFile(settings_.directory + "/tls.crt");
  const auto key = http::ReadWholeFile(settings_.directory + "/tls.key");
  if (!certificate || !key) return Fail("tls.crt and tls.key not found in " + settings_.directory);
  // Client certificates are not used; any CA will do.
  return Serve({.authority = *certificate,
                .server = {.certificate = *certificate, .key = *key},
                .admin = {}});
}

bool CertificateKeeper::ReconcileSecret() {
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
    SetFiles(*plan->files, secret);
    const auto written = store::WaitFor(store_, store::CreateOrUpdate(secret), kCallLimit);
    // On a conflict another replica was faster; the retry uses its certificate.
    if (!written) return Fail(store::ToString(written.error()));
  }
  const bool is_served = Serve(plan->credentials);
  return UpdateCaBundles(plan->credentials.authority) && is_served;
}

bool CertificateKeeper::Serve(const http::TlsCredentials& credentials) {
  if (credentials.server.certificate == served_) return true;
  if (!on_credentials_(credentials)) return false;
  served_ = credentials.server.certificate;
  return true;
}

bool CertificateKeeper::UpdateCaBundles(const std::string& authority) {
  bool is_updated =
      UpdateCaBundle(kMutatingConfigurations, "kueue-mutating-webhook-configuration", authority);
  is_updated &= UpdateCaBundle(kValidatingConfigurations, "kueue-validating-webhook-configuration",
                               authority);
  for (const schema::Kind* kind : api::AllKinds())
    if (kind->group == api::kKueueGroup && kind->is_converted)
      is_updated &= UpdateCaBundle(
          kDefinitions, std::string(kind->plural) + "." + std::string(kind->group), authority);
  return is_updated;
}

bool CertificateKeeper::UpdateCaBundle(const store::Resource& resource, const std::string& name,
                                       const std::string& authority) {
  const auto got = store::WaitFor(
      store_, store::Get{.resource = resource, .namespace_ = "", .name = name}, kCallLimit);
  if (!got) return got.error().IsNotFound() || Fail(store::ToString(got.error()));
  const auto tree = json::Parse(got->object.text());
  if (!tree) return Fail(name + " cannot be read");
  const auto changed = WithAuthority(*tree, settings_.service, authority);
  if (!changed) return true;
  const auto written = store::WaitFor(store_,
                                      store::Update{.resource = resource,
                                                    .namespace_ = "",
                                                    .name = name,
                                                    .object = json::Print(*changed),
                                                    .options = {}},
                                      kCallLimit);
  return written || Fail(store::ToString(written.error()));
}

}  // namespace berth::webhook_server
