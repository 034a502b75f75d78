#include "replica/metrics_server.h"

#include <filesystem>
#include <utility>

#include "apiserver/renewable_server.h"
#include "observe/metrics.h"
#include "replica/access_check.h"
#include "store/system_time.h"
#include "webhook_server/certificate_keeper.h"

namespace berth::replica {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";

apiserver::HttpResponse MetricsText(int status, std::string_view type, std::string text) {
  return {.status = status,
          .content_type = std::string(type),
          .headers = {},
          .body = apiserver::Share(std::move(text))};
}

apiserver::HttpResponse Refusal(Access access) {
  constexpr std::string_view kPlain = "text/plain; charset=utf-8";
  switch (access) {
    case Access::kUnknown:
      return MetricsText(401, kPlain, "show a bearer token of the cluster\n");
    case Access::kDenied:
      return MetricsText(403, kPlain, "the owner of the token may not get /metrics\n");
    case Access::kAllowed:
    case Access::kFailed:
      break;
  }
  return MetricsText(500, kPlain, "the API server could not be asked about the token\n");
}

bool HasCertificate(const std::string& directory) {
  std::error_code ignored;
  return !directory.empty() && std::filesystem::exists(directory + "/tls.crt", ignored) &&
         std::filesystem::exists(directory + "/tls.key", ignored);
}

}  // namespace

struct MetricsServer::Parts final : apiserver::HttpHandler {
  Options options;
  AccessCheck access;
  apiserver::RenewableServer server;
  std::unique_ptr<webhook_server::CertificateKeeper> keeper;

  Parts(store::Store& store, Options settings)
      : options(std::move(settings)),
        access(store),
        server({.address = options.address.ip,
                .port = options.address.port,
                .credentials = {},
                .tokens = {},
                .limits = {},
                .tls = options.tls,
                .threads = 1},  // access is for one thread
               *this) {}

  ~Parts() override {
    keeper.reset();
    server.Stop();
  }

  base::Result<void> Start(store::Store& store) {
    auto made = apiserver::MakeTlsCredentials({}, store::SystemTime());
    if (!made) return std::unexpected(made.error());
    if (auto served = server.Serve(*made); !served) return served;
    if (HasCertificate(options.certificates)) KeepCertificate(store);
    return {};
  }

  void KeepCertificate(store::Store& store) {
    keeper = std::make_unique<webhook_server::CertificateKeeper>(
        store,
        webhook_server::CertificateKeeper::Settings{
            .directory = options.certificates, .subject = "metrics", .log = options.log},
        [this](const apiserver::TlsCredentials& credentials) {
          const base::Result<void> served = server.Serve(credentials);
          if (!served) options.log("Metrics: " + base::ToString(served.error()));
          return served.has_value();
        });
  }

  void Handle(apiserver::HttpRequest request,
              std::shared_ptr<apiserver::HttpExchange> exchange) override {
    const std::string_view path =
        std::string_view(request.target).substr(0, std::string_view(request.target).find('?'));
    if (path != kMetricsPath || (request.method != "GET" && request.method != "HEAD"))
      return exchange->Respond(
          MetricsText(404, "text/plain; charset=utf-8", "there is only GET /metrics\n"));
    store::Executor& executor = exchange->executor();
    access.Ask(apiserver::BearerToken(request.authorization), Reading::OfPath(kMetricsPath),
               executor, [this, exchange = std::move(exchange)](Access answer) mutable {
                 if (answer != Access::kAllowed) return exchange->Respond(Refusal(answer));
                 Scrape(std::move(exchange));
               });
  }

  void Scrape(std::shared_ptr<apiserver::HttpExchange> exchange) {
    store::Executor& executor = exchange->executor();
    options.scrape(executor, [exchange = std::move(exchange)](std::string text) {
      exchange->Respond(MetricsText(200, observe::kTextFormat, std::move(text)));
    });
  }

  // Who asks is found out by asking the cluster.
  bool IsOpenToAll(std::string_view) const override { return true; }
};

MetricsServer::MetricsServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MetricsServer::~MetricsServer() = default;

base::Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(store::Store& store,
                                                                  Options options) {
  auto parts = std::make_unique<Parts>(store, std::move(options));
  if (auto started = parts->Start(store); !started) return std::unexpected(started.error());
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(parts)));
}

uint16_t MetricsServer::port() const { return parts_->server.port(); }

}  // namespace berth::replica
