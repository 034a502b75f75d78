#include "replica/metrics_server.h"

#include <utility>

#include "observe/metrics.h"

namespace berth::replica {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";
constexpr std::string_view kPlainText = "text/plain; charset=utf-8";

http::Response TextResponse(int status, std::string_view type, std::string text) {
  return {.status = status,
          .content_type = std::string(type),
          .headers = {},
          .body = http::Share(std::move(text))};
}

ProtectedServer::Options WithMetricsPrefix(ProtectedServer::Options options) {
  options.log = [log = std::move(options.log)](std::string_view line) {
    log("Metrics: " + std::string(line));
  };
  return options;
}

}  // namespace

class MetricsServer::Endpoint final : public ProtectedEndpoint {
 public:
  explicit Endpoint(Scrape scrape) : scrape_(std::move(scrape)) {}

  std::optional<http::Response> Reject(const http::Request& request) const override {
    const std::string_view target = request.target;
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    if (is_read && target.substr(0, target.find('?')) == kMetricsPath) return std::nullopt;
    return TextResponse(404, kPlainText, "path not found: only GET /metrics is served\n");
  }

  AccessAttributes AttributesOf(const http::Request&) const override {
    return AccessAttributes::OfPath(kMetricsPath);
  }

  http::Response Denial(Access access) const override {
    if (access == Access::kUnauthenticated)
      return TextResponse(401, kPlainText, "bearer token of the cluster required\n");
    if (access == Access::kForbidden)
      return TextResponse(403, kPlainText, "token has no permission to get /metrics\n");
    if (access == Access::kBusy)
      return TextResponse(429, kPlainText, "too many tokens under review; try again in a moment\n");
    return TextResponse(500, kPlainText, "token review failed: API server not reachable\n");
  }

  void Serve(const http::Request&, std::shared_ptr<http::Exchange> exchange) override {
    store::Executor& executor = exchange->executor();
    scrape_(executor, [exchange = std::move(exchange)](std::string text) {
      exchange->Respond(TextResponse(200, observe::kTextFormat, std::move(text)));
    });
  }

 private:
  Scrape scrape_;
};

MetricsServer::MetricsServer(store::Store& store, Scrape scrape, ProtectedServer::Options options)
    : endpoint_(std::make_unique<Endpoint>(std::move(scrape))),
      server_(store, WithMetricsPrefix(std::move(options)), *endpoint_) {}
MetricsServer::~MetricsServer() = default;

base::Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(
    store::Store& store, Scrape scrape, ProtectedServer::Options options) {
  std::unique_ptr<MetricsServer> server(
      new MetricsServer(store, std::move(scrape), std::move(options)));
  if (auto started = server->server_.Start(); !started) return std::unexpected(started.error());
  return server;
}

uint16_t MetricsServer::port() const { return server_.port(); }

}  // namespace berth::replica
