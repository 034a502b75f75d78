#include "apiserver/testing/api_server.h"

#include "apiserver/kubeconfig.h"
#include "store/system_time.h"

namespace berth::apiserver::testing {
ApiServer::ApiServer(const Options& options) {
  if (auto started = Start(options); !started) error_ = base::ToString(started.error());
}

ApiServer::~ApiServer() = default;

base::Result<void> ApiServer::Start(const Options& options) {
  auto handler = ApiHandler::Open({.storage = {.data_dir = options.data_dir}});
  if (!handler) return std::unexpected(handler.error());
  handler_ = *std::move(handler);
  collector_ = std::make_unique<Collector>(*handler_);
  auto credentials = http::MakeTlsCredentials({}, store::SystemTime());
  if (!credentials) return std::unexpected(credentials.error());
  credentials_ = *std::move(credentials);
  auto tokens = http::TokenTable::Parse(options.tokens);
  if (!tokens) return std::unexpected(tokens.error());
  router_ = std::make_unique<RestRouter>(
      *handler_, RestRouterOptions{.address = "127.0.0.1", .tokens = *tokens});
  auto server = http::Server::Start({.credentials = credentials_,
                                     .tokens = *tokens,
                                     .limits = options.limits,
                                     .threads = options.threads},
                                    *router_);
  if (!server) return std::unexpected(server.error());
  server_ = *std::move(server);
  kubeconfig_ = directory_.path() / "kubeconfig";
  return WriteKubeconfig(kubeconfig_, url(), credentials_);
}

}  // namespace berth::apiserver::testing
