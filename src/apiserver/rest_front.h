#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "apiserver/http_message.h"
#include "apiserver/openapi.h"
#include "apiserver/rest_catalog.h"
#include "apiserver/rest_request.h"
#include "apiserver/rest_target.h"
#include "apiserver/service.h"
#include "apiserver/tokens.h"

namespace berth::apiserver {

struct RestFrontOptions {
  std::string address;  // host:port, as clients reach the server
  // The Kubernetes that clients may take this server for.
  std::string kubernetes_minor = "33";
  std::string berth_version = "0.1.0";
  TokenTable tokens = {};  // for TokenReviews
  // Asked first, about what is none of the API server's own: true if it answers, now or later.
  std::function<bool(const HttpRequest&, const std::shared_ptr<HttpExchange>&)> elsewhere = {};
};

// The API server as clients see it: turns requests into calls of the service and its answers into
// responses, and answers itself what is not about objects: discovery, schemas, version and health.
class RestFront final : public HttpHandler {
 public:
  // The service must outlive the front.
  RestFront(Service& service, RestFrontOptions options);

  void Handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange) override;
  bool IsOpenToAll(std::string_view target) const override;

 private:
  HttpResponse Answer(HttpRequest& request, const RestTarget& target);
  HttpResponse AnswerDiscovery(const HttpRequest& request, const RestTarget& target,
                               const Catalog& catalog) const;
  HttpResponse AnswerOther(const HttpRequest& request, const RestTarget& target);
  HttpResponse AnswerOpenApi(const HttpRequest& request, std::string_view path);
  HttpResponse AnswerVersion() const;
  HttpResponse AnswerPaths(const Catalog& catalog) const;
  void HandleObjects(HttpRequest request, const RestTarget& target,
                     std::shared_ptr<HttpExchange> exchange);
  void Perform(const store::Call& call, RestView view, std::shared_ptr<const Catalog> catalog,
               const Caller& caller, std::shared_ptr<HttpExchange> exchange);
  // That of the catalog as it is now.
  std::shared_ptr<OpenApi> CurrentOpenApi();

  Service& service_;
  RestFrontOptions options_;
  std::mutex mutex_;
  std::shared_ptr<OpenApi> openapi_;
};

}  // namespace berth::apiserver
