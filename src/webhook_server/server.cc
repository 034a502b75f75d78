#include "webhook_server/server.h"

#include <atomic>
#include <thread>
#include <utility>

#include "apiserver/renewable_server.h"
#include "store/inbox.h"
#include "store/optional_kinds.h"
#include "webhook_server/admission.h"
#include "webhook_server/certificate_keeper.h"
#include "webhook_server/cluster_lookup.h"
#include "webhook_server/conversion.h"

namespace berth::webhook_server {
namespace {

constexpr base::Duration kSyncPause = base::Duration::Milliseconds(100);

apiserver::HttpResponse ReviewResponse(base::Result<std::string> answer) {
  if (!answer) return apiserver::StatusResponse(400, "BadRequest", base::ToString(answer.error()));
  return {.headers = {}, .body = apiserver::Share(std::move(*answer))};
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

apiserver::HttpServerOptions ServerOptions(const Server::Options& options) {
  const api::WebhookSettings& settings = options.configuration.webhook;
  return {.address = settings.host.empty() ? "0.0.0.0" : settings.host,
          .port = static_cast<uint16_t>(settings.port.value_or(9443)),
          .credentials = {},
          .tokens = {},
          .limits = {},
          .tls = TlsLimitsOf(options.configuration, options.gates)};
}

}  // namespace

apiserver::TlsLimits TlsLimitsOf(const api::Configuration& configuration,
                                 const api::FeatureGates& gates) {
  if (!configuration.tls || !gates.IsOn(api::Gate::kTLSOptions)) return {};
  return {.needs_tls13 = configuration.tls->min_version == api::kTls13,
          .cipher_suites = configuration.tls->cipher_suites,
          .curves = configuration.tls->curve_preferences};
}

// In the order in which they depend on each other: what comes later uses what comes before.
struct Server::Parts final : apiserver::HttpHandler {
  Options options;
  store::OptionalKinds store;
  webhook::Reviewer reviewer;
  store::Inbox inbox;  // of the one thread that reviews
  std::unique_ptr<ClusterLookup> lookup;
  std::atomic<bool> is_synced = false;
  std::thread thread;
  apiserver::RenewableServer server;
  std::unique_ptr<CertificateKeeper> keeper;

  Parts(store::Store& below, Options settings)
      : options(std::move(settings)),
        store(below),
        reviewer(options.configuration, options.gates, *options.integrations),
        server(ServerOptions(options), *this) {
    thread = std::thread([this] {
      lookup = std::make_unique<ClusterLookup>(store, inbox, *options.integrations);
      LookWhetherSynced();
      inbox.Run();
      lookup.reset();
    });
    keeper = std::make_unique<CertificateKeeper>(
        below, KeeperSettings(options),
        [this](const apiserver::TlsCredentials& credentials) { return Serve(credentials); });
  }

  ~Parts() override {
    keeper.reset();
    // Reviews under way are finished first: their thread is still there.
    server.Stop();
    inbox.Stop();
    thread.join();
  }

  void LookWhetherSynced() {
    if (lookup->is_synced()) {
      is_synced = true;
      return;
    }
    inbox.PostAfter(kSyncPause, [this] { LookWhetherSynced(); });
  }

  bool Serve(const apiserver::TlsCredentials& credentials) {
    const auto served = server.Serve(credentials);
    if (!served) options.log("Webhooks: " + base::ToString(served.error()));
    return served.has_value();
  }

  void Handle(apiserver::HttpRequest request,
              std::shared_ptr<apiserver::HttpExchange> exchange) override {
    const std::string_view path = PathOf(request.target);
    if (path == "/convert")
      return exchange->Respond(ReviewResponse(AnswerConversion(request.body)));
    if (path.starts_with("/mutate-"))
      return Review(ReviewStage::kMutate, std::move(request.body), std::move(exchange));
    if (path.starts_with("/validate-"))
      return Review(ReviewStage::kValidate, std::move(request.body), std::move(exchange));
    exchange->Respond(apiserver::StatusResponse(404, "NotFound", "there is no such webhook"));
  }

  void Review(ReviewStage stage, std::string body,
              std::shared_ptr<apiserver::HttpExchange> exchange) {
    inbox.Post([this, stage, body = std::move(body), exchange = std::move(exchange)]() mutable {
      apiserver::HttpResponse response =
          is_synced ? ReviewResponse(AnswerAdmission(body, stage, reviewer, *lookup))
                    : apiserver::StatusResponse(503, "ServiceUnavailable",
                                                "the webhooks are about to start");
      store::Executor& executor = exchange->executor();
      executor.Post([exchange = std::move(exchange), response = std::move(response)]() mutable {
        exchange->Respond(std::move(response));
      });
    });
  }

  // The API server proves nothing about itself unless it is told to; who may call is a matter of
  // network policy.
  bool IsOpenToAll(std::string_view) const override { return true; }
};

Server::Server(store::Store& store, Options options)
    : parts_(std::make_unique<Parts>(store, std::move(options))) {}
Server::~Server() = default;

uint16_t Server::port() const { return parts_->server.port(); }

bool Server::IsReady() const { return parts_->is_synced && port() != 0; }

}  // namespace berth::webhook_server
