#include "replica/protected_server.h"

#include <utility>

namespace berth::replica {

ProtectedServer::ProtectedServer(store::Store& store, Options options, ProtectedEndpoint& endpoint)
    : endpoint_(endpoint),
      access_(store),
      server_(std::move(options), *this, [&endpoint](http::TlsCredentials& credentials) {
        return endpoint.Refresh(credentials);
      }) {}

void ProtectedServer::Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) {
  if (auto rejection = endpoint_.Reject(request)) return exchange->Respond(*std::move(rejection));
  json::object user = endpoint_.ForwardedUser(request);
  AccessAttributes attributes = endpoint_.AttributesOf(request);
  const std::string token(http::BearerToken(request.authorization));
  store::Executor& executor = exchange->executor();
  auto then = [this, request = std::move(request),
               exchange = std::move(exchange)](Access access) mutable {
    if (access != Access::kAllowed) return exchange->Respond(endpoint_.Denial(access));
    endpoint_.Serve(request, std::move(exchange));
  };
  if (!user.empty())
    return access_.AuthorizeUser(std::move(user), std::move(attributes), executor, std::move(then));
  access_.AuthorizeToken(token, std::move(attributes), executor, std::move(then));
}

}  // namespace berth::replica
