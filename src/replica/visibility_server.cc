#include "replica/visibility_server.h"

#include <mutex>
#include <utility>

#include "api/core/config_map.h"
#include "replica/front_proxy.h"
#include "store/wait_for.h"

namespace berth::replica {
namespace {

constexpr std::string_view kProxyMapNamespace = "kube-system";
constexpr std::string_view kProxyMap = "extension-apiserver-authentication";
constexpr base::Duration kMapLimit = base::Duration::Seconds(10);

using http::StatusResponse;
using Log = std::function<void(std::string_view)>;

http::Response JsonDocument(std::string text) {
  return {.headers = {}, .body = http::Share(std::move(text))};
}

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

ProtectedServer::Options WithVisibilityPrefix(ProtectedServer::Options options) {
  options.log = [log = std::move(options.log)](std::string_view line) {
    log("Visibility API not reachable through the API server: " + std::string(line));
  };
  return options;
}

}  // namespace

class VisibilityServer::Endpoint final : public ProtectedEndpoint {
 public:
  Endpoint(store::Store& store, List list, Log log)
      : store_(store), list_(std::move(list)), log_(std::move(log)) {}

  std::optional<http::Response> Reject(const http::Request& request) const override {
    if (request.method == "GET") return std::nullopt;
    return StatusResponse(405, "MethodNotAllowed", "read-only API");
  }

  AccessAttributes AttributesOf(const http::Request& request) const override {
    const auto query = observe::ParsePendingQuery(request.target);
    if (!query) return AccessAttributes::OfPath(PathOf(request.target));
    return AccessAttributes::OfObject(
        {.group = std::string(observe::kVisibilityGroup),
         .version = query->version,
         .plural = query->namespace_.empty() ? "clusterqueues" : "localqueues",
         .kind = "PendingWorkloadsSummary"},
        "pendingworkloads", query->namespace_, query->name);
  }

  json::object ForwardedUser(const http::Request& request) override {
    return CurrentProxy()->ForwardedUser(request);
  }

  http::Response Denial(Access access) const override {
    if (access == Access::kUnauthenticated)
      return StatusResponse(401, "Unauthorized", "bearer token of the cluster required");
    if (access == Access::kForbidden)
      return StatusResponse(403, "Forbidden", "not permitted by the cluster");
    if (access == Access::kBusy)
      return StatusResponse(429, "TooManyRequests",
                            "too many tokens under review; try again in a moment");
    return StatusResponse(500, "InternalError", "token review failed: API server not reachable");
  }

  void Serve(const http::Request& request, std::shared_ptr<http::Exchange> exchange) override {
    if (const auto query = observe::ParsePendingQuery(request.target))
      return ServeQuery(*query, std::move(exchange));
    std::optional<std::string> document = observe::VisibilityDiscovery(PathOf(request.target));
    exchange->Respond(document ? JsonDocument(std::move(*document))
                               : StatusResponse(404, "NotFound", "path not found"));
  }

  bool Refresh(http::TlsCredentials& credentials) override {
    const bool is_fresh = RefreshProxy();
    if (const auto proxy = CurrentProxy(); !proxy->authority.empty())
      credentials.authority = proxy->authority;
    return is_fresh;
  }

 private:
  void ServeQuery(const observe::PendingQuery& query, std::shared_ptr<http::Exchange> exchange) {
    store::Executor& executor = exchange->executor();
    list_(query, executor, [exchange = std::move(exchange), name = query.name](Summary summary) {
      exchange->Respond(summary ? JsonDocument(std::move(*summary))
                                : StatusResponse(404, "NotFound", "queue " + name + " not found"));
    });
  }

  bool RefreshProxy() {
    const auto map = store::WaitFor(store_,
                                    store::Get{.resource = store::ResourceOf<api::ConfigMap>(),
                                               .namespace_ = std::string(kProxyMapNamespace),
                                               .name = std::string(kProxyMap)},
                                    kMapLimit);
    if (!map && map.error().IsNotFound()) return true;
    if (!map) {
      log_(store::ToString(map.error()) +
           "; bind the service account to the Role extension-apiserver-authentication-reader "
           "in kube-system");
      return false;
    }
    if (const auto found = FrontProxy::FromConfigMap(map->object.text())) {
      const std::lock_guard lock(mutex_);
      proxy_ = std::make_shared<FrontProxy>(*found);
    }
    return true;
  }

  std::shared_ptr<const FrontProxy> CurrentProxy() {
    const std::lock_guard lock(mutex_);
    return proxy_;
  }

  store::Store& store_;
  List list_;
  Log log_;
  std::mutex mutex_;
  std::shared_ptr<const FrontProxy> proxy_ = std::make_shared<FrontProxy>();
};

VisibilityServer::VisibilityServer(store::Store& store, List list,
                                   const ProtectedServer::Options& options)
    : endpoint_(std::make_unique<Endpoint>(store, std::move(list), options.log)),
      server_(store, options, *endpoint_) {}
VisibilityServer::~VisibilityServer() = default;

base::Result<std::unique_ptr<VisibilityServer>> VisibilityServer::Start(
    store::Store& store, List list, ProtectedServer::Options options) {
  std::unique_ptr<VisibilityServer> server(
      new VisibilityServer(store, std::move(list), WithVisibilityPrefix(std::move(options))));
  if (auto started = server->server_.Start(); !started) return std::unexpected(started.error());
  return server;
}

uint16_t VisibilityServer::port() const { return server_.port(); }

}  // namespace berth::replica
