#include "webhook_server/server.h"

#include <atomic>
#include <thread>
#include <utility>

#include "http/renewable_server.h"
#include "store/inbox.h"
#include "store/optional_kinds.h"
#include "webhook_server/admission.h"
#include "webhook_server/certificate_keeper.h"
#include "webhook_server/cluster_lookup.h"
#include "webhook_server/conversion.h"

namespace berth::webhook_server {
namespace {

// A review carries two versions of an object, in JSON.
constexpr size_t kMostReviewBytes = 8 << 20;
constexpr base::Duration kSyncPollPeriod = base::Duration::Milliseconds(100);

http::Response ReviewResponse(base::Result<std::string> answer) {
  if (!answer) return http::StatusResponse(400, "BadRequest", base::ToString(answer.error()));
  return {.headers = {}, .body = http::Share(std::move(*answer))};
}

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

CertificateKeeper::Settings KeeperSettings(const Server::Options& options) {
  const auto& internal = options.configuration.internal_cert_management;
  CertificateKeeper::Settings settings{.namespace_ = options.configuration.namespace_,
                                       .log = options.log};
  if (internal && internal->enable.value_or(true)) {
    settings.service = internal->webhook_service_name.value_or("");
    settings.secret = internal->webhook_secret_name.value_or("");
  } else {
    settings.directory = options.configuration.webhook.cert_dir;
  }
  return settings;
}

http::ServerOptions ServerOptions(const Server::Options& options) {
  const api::WebhookSettings& settings = options.configuration.webhook;
  return {.address = settings.host.empty() ? "0.0.0.0" : settings.host,
          .port = static_cast<uint16_t>(settings.port.value_or(9443)),
          .credentials = {},
          .tokens = {},
          .limits = {.body_bytes = kMostReviewBytes},
          .tls = TlsLimitsOf(options.configuration, options.gates)};
}

}  // namespace

http::TlsLimits TlsLimitsOf(const api::Configuration& configuration,
                            const api::FeatureGates& gates) {
  if (!configuration.tls || !gates.IsOn(api::Gate::kTLSOptions)) return {};
  return {.needs_tls13 = configuration.tls->min_version == api::kTls13,
          .cipher_suites = configuration.tls->cipher_suites,
          .curves = configuration.tls->curve_preferences};
}

// In dependency order: later members use earlier ones.
struct Server::Parts final : http::Handler {
  Options options;
  store::OptionalKinds store;
  webhook::AdmissionReviewer reviewer;
  store::Inbox inbox;  // executor of the review thread
  std::unique_ptr<ClusterLookup> lookup;
  std::atomic<bool> is_synced = false;
  std::thread thread;
  http::RenewableServer server;
  std::unique_ptr<CertificateKeeper> keeper;

  Parts(store::Store& below, Options settings)
      : options(std::move(settings)),
        store(below),
        reviewer(options.configuration, options.gates, *options.integrations),
        server(ServerOptions(options), *this) {
    thread = std::thread([this] {
      lookup = std::make_unique<ClusterLookup>(store, inbox, *options.integrations);
      AwaitSync();
      inbox.Run();
      lookup.reset();
    });
    keeper = std::make_unique<CertificateKeeper>(
        below, KeeperSettings(options),
        [this](const http::TlsCredentials& credentials) { return Serve(credentials); });
  }

  ~Parts() override {
    keeper.reset();
    // Finishes reviews in flight while their thread still runs.
    server.Stop();
    inbox.Stop();
    thread.join();
  }

  void AwaitSync() {
    if (lookup->is_synced()) {
      is_synced = true;
      return;
    }
    inbox.PostAfter(kSyncPollPeriod, [this] { AwaitSync(); });
  }

  bool Serve(const http::TlsCredentials& credentials) {
    const auto served = server.Serve(credentials);
    if (!served) options.log("Webhooks: " + base::ToString(served.error()));
    return served.has_value();
  }

  void Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) override {
    const std::string_view path = PathOf(request.target);
    if (path == "/convert")
      return exchange->Respond(ReviewResponse(AnswerConversion(request.body)));
    if (path.starts_with("/mutate-"))
      return Review(ReviewStage::kMutate, std::move(request.body), std::move(exchange));
    if (path.starts_with("/validate-"))
      return Review(ReviewStage::kValidate, std::move(request.body), std::move(exchange));
    exchange->Respond(http::StatusResponse(404, "NotFound", "webhook not found"));
  }

  void Review(ReviewStage stage, std::string body, std::shared_ptr<http::Exchange> exchange) {
    inbox.Post([this, stage, body = std::move(body), exchange = std::move(exchange)]() mutable {
      http::Response response =
          is_synced ? ReviewResponse(AnswerAdmission(body, stage, reviewer, *lookup))
                    : http::StatusResponse(503, "ServiceUnavailable", "webhooks not ready");
      store::Executor& executor = exchange->executor();
      executor.Post([exchange = std::move(exchange), response = std::move(response)]() mutable {
        exchange->Respond(std::move(response));
      });
    });
  }

  // API servers do not authenticate to webhooks by default; network policy restricts the callers.
  bool IsOpenToAll(std::string_view) const override { return true; }
};

Server::Server(store::Store& store, Options options)
    : parts_(std::make_unique<Parts>(store, std::move(options))) {}
Server::~Server() = default;

uint16_t Server::port() const { return parts_->server.port(); }

bool Server::IsReady() const { return parts_->is_synced && port() != 0; }

}  // namespace berth::webhook_server
