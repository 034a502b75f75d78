#include "replica/visibility_server.h"

#include <mutex>
#include <utility>

#include "api/config_map.h"
#include "apiserver/private_file.h"
#include "apiserver/renewable_server.h"
#include "replica/access_check.h"
#include "replica/front_proxy.h"
#include "store/system_time.h"
#include "store/wait_for.h"

namespace berth::replica {
namespace {

constexpr std::string_view kProxyMapNamespace = "kube-system";
constexpr std::string_view kProxyMap = "extension-apiserver-authentication";
constexpr base::Duration kMapLimit = base::Duration::Seconds(10);

using apiserver::StatusResponse;

apiserver::HttpResponse RefusalOf(Access access) {
  if (access == Access::kUnknown)
    return StatusResponse(401, "Unauthorized", "show a bearer token of the cluster");
  if (access == Access::kDenied)
    return StatusResponse(403, "Forbidden", "the cluster does not let you see this");
  return StatusResponse(500, "InternalError", "the API server could not be asked who you are");
}

apiserver::HttpResponse JsonDocument(std::string text) {
  return {.headers = {}, .body = apiserver::Share(std::move(text))};
}

std::optional<apiserver::KeyPair> GivenCertificate(const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  const auto certificate = apiserver::ReadWholeFile(folder + "/tls.crt");
  const auto key = apiserver::ReadWholeFile(folder + "/tls.key");
  if (!certificate || !key) return std::nullopt;
  return apiserver::KeyPair{.certificate = *certificate, .key = *key};
}

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }

Reading ReadingOf(const apiserver::HttpRequest& request,
                  const std::optional<observe::PendingQuery>& query) {
  if (!query) return Reading::OfPath(PathOf(request.target));
  return Reading::OfObject({.group = std::string(observe::kVisibilityGroup),
                            .version = query->version,
                            .plural = query->namespace_.empty() ? "clusterqueues" : "localqueues",
                            .kind = "PendingWorkloadsSummary"},
                           "pendingworkloads", query->namespace_, query->name);
}

}  // namespace

struct VisibilityServer::Parts final : apiserver::HttpHandler {
  store::Store& store;
  Options options;
  AccessCheck access;
  apiserver::TlsCredentials own;     // as they were made
  apiserver::TlsCredentials served;  // as of the last look
  std::mutex mutex;
  std::shared_ptr<const FrontProxy> proxy = std::make_shared<FrontProxy>();
  apiserver::RenewableServer server;
  std::unique_ptr<store::Periodic> looks;

  Parts(store::Store& cluster, Options settings)
      : store(cluster),
        options(std::move(settings)),
        access(cluster),
        server({.address = options.address.ip,
                .port = options.address.port,
                .credentials = {},
                .tokens = {},
                .limits = {},
                .tls = options.tls,
                .threads = 1},  // access is for one thread
               *this) {}

  ~Parts() override {
    looks.reset();
    server.Stop();
  }

  base::Result<void> Start() {
    auto made = apiserver::MakeTlsCredentials({}, store::SystemTime());
    if (!made) return std::unexpected(made.error());
    own = std::move(*made);
    if (auto serves = Serve(own); !serves) return serves;
    looks = std::make_unique<store::Periodic>(options.pace, [this] { return Look(); });
    return {};
  }

  base::Result<void> Serve(const apiserver::TlsCredentials& credentials) {
    if (auto serves = server.Serve(credentials); !serves) return serves;
    served = credentials;
    return {};
  }

  // Both the certificate and whom the API server sends may change while we run.
  bool Look() {
    apiserver::TlsCredentials credentials = own;
    if (const auto given = GivenCertificate(options.certificates)) credentials.server = *given;
    const bool is_well = LookForProxy();
    if (const auto known = CurrentProxy(); !known->authority.empty())
      credentials.authority = known->authority;
    if (credentials.server == served.server && credentials.authority == served.authority)
      return is_well;
    const base::Result<void> serves = Serve(credentials);
    return serves.has_value() ? is_well : Fail(base::ToString(serves.error()));
  }

  bool LookForProxy() {
    const auto map = store::WaitFor(store,
                                    store::Get{.resource = store::ResourceOf<api::ConfigMap>(),
                                               .namespace_ = std::string(kProxyMapNamespace),
                                               .name = std::string(kProxyMap)},
                                    kMapLimit);
    if (!map && map.error().IsNotFound()) return true;
    if (!map)
      return Fail(
          store::ToString(map.error()) +
          "; bind the service account to the Role extension-apiserver-authentication-reader "
          "in kube-system");
    if (const auto found = FrontProxy::FromConfigMap(map->object.text())) {
      const std::lock_guard lock(mutex);
      proxy = std::make_shared<FrontProxy>(*found);
    }
    return true;
  }

  bool Fail(const std::string& what) const {
    options.log("The visibility API cannot be asked through the API server: " + what);
    return false;
  }

  std::shared_ptr<const FrontProxy> CurrentProxy() {
    const std::lock_guard lock(mutex);
    return proxy;
  }

  void Handle(apiserver::HttpRequest request,
              std::shared_ptr<apiserver::HttpExchange> exchange) override {
    if (request.method != "GET")
      return exchange->Respond(StatusResponse(405, "MethodNotAllowed", "this can only be read"));
    const auto query = observe::ParsePendingQuery(request.target);
    Reading reading = ReadingOf(request, query);
    store::Executor& executor = exchange->executor();
    auto then = [this, query, path = std::string(PathOf(request.target)),
                 exchange = std::move(exchange)](Access answer) {
      if (answer != Access::kAllowed) return exchange->Respond(RefusalOf(answer));
      query ? AnswerQuery(*query, exchange) : AnswerPath(path, *exchange);
    };
    store::json::object user = CurrentProxy()->UserBehind(request);
    if (!user.empty())
      return access.AskOf(std::move(user), std::move(reading), executor, std::move(then));
    access.Ask(apiserver::BearerToken(request.authorization), std::move(reading), executor,
               std::move(then));
  }

  void AnswerQuery(const observe::PendingQuery& query,
                   const std::shared_ptr<apiserver::HttpExchange>& exchange) const {
    options.list(query, exchange->executor(), [exchange, query](Summary summary) {
      exchange->Respond(summary
                            ? JsonDocument(std::move(*summary))
                            : StatusResponse(404, "NotFound", "there is no queue " + query.name));
    });
  }

  static void AnswerPath(std::string_view path, apiserver::HttpExchange& exchange) {
    std::optional<std::string> document = observe::VisibilityDiscovery(path);
    exchange.Respond(document ? JsonDocument(std::move(*document))
                              : StatusResponse(404, "NotFound", "there is nothing here"));
  }

  // Who asks is found out by asking the cluster.
  bool IsOpenToAll(std::string_view) const override { return true; }
};

VisibilityServer::VisibilityServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
VisibilityServer::~VisibilityServer() = default;

base::Result<std::unique_ptr<VisibilityServer>> VisibilityServer::Start(store::Store& store,
                                                                        Options options) {
  auto parts = std::make_unique<Parts>(store, std::move(options));
  if (auto started = parts->Start(); !started) return std::unexpected(started.error());
  return std::unique_ptr<VisibilityServer>(new VisibilityServer(std::move(parts)));
}

uint16_t VisibilityServer::port() const { return parts_->server.port(); }

}  // namespace berth::replica
