#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "apiserver/handler/api_handler.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/rest/catalog.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/target.h"
#include "http/message.h"
#include "http/tokens.h"
#include "store/inbox.h"

namespace berth::apiserver {

struct RestRouterOptions {
  std::string address;  // host:port, as clients reach the server
  // The Kubernetes minor version that clients see.
  std::string kubernetes_minor = "33";
  std::string berth_version = "0.1.0";
  http::TokenTable tokens = {};  // for TokenReviews
  // Called before routing, for paths outside of the API server: true if it handles the request, now
  // or later.
  std::function<bool(const http::Request&, const std::shared_ptr<http::Exchange>&)> intercept = {};
};

// Routes HTTP requests to the ApiHandler and renders its replies. Serves discovery, OpenAPI,
// version and health itself. Requests that may take long run on a thread of their own, one after
// the other, so that they hold up no other client of their connection's thread.
class RestRouter final : public http::Handler {
 public:
  // The handler must outlive the router.
  RestRouter(ApiHandler& handler, RestRouterOptions options);
  // All requests must have been answered.
  ~RestRouter() override;

  void Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) override;
  bool IsOpenToAll(std::string_view target) const override;

 private:
  http::Response Answer(http::Request& request, const RestTarget& target);
  http::Response AnswerDiscovery(const http::Request& request, const RestTarget& target,
                                 const Catalog& catalog) const;
  http::Response AnswerOther(const http::Request& request, const RestTarget& target);
  http::Response AnswerOpenApi(const http::Request& request, std::string_view path);
  http::Response AnswerVersion() const;
  http::Response AnswerPaths(const Catalog& catalog) const;
  struct Work;
  void HandleObjects(http::Request request, const RestTarget& target,
                     std::shared_ptr<http::Exchange> exchange);
  bool MayTakeLong(const store::Call& call) const;
  void Perform(Work work);
  void PerformSlowly(Work work);
  // For the current catalog.
  std::shared_ptr<OpenApi> CurrentOpenApi();

  ApiHandler& handler_;
  RestRouterOptions options_;
  store::Inbox slow_work_;
  std::thread slow_thread_;
  std::mutex mutex_;
  std::shared_ptr<OpenApi> openapi_;
};

}  // namespace berth::apiserver
