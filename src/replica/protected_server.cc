#include "replica/protected_server.h"

#include <utility>

#include "http/private_file.h"
#include "store/system_time.h"

namespace berth::replica {
namespace {

std::optional<http::KeyPair> CertificateIn(const std::string& directory) {
  if (directory.empty()) return std::nullopt;
  const auto certificate = http::ReadWholeFile(directory + "/tls.crt");
  const auto key = http::ReadWholeFile(directory + "/tls.key");
  if (!certificate || !key) return std::nullopt;
  return http::KeyPair{.certificate = *certificate, .key = *key};
}

}  // namespace

ProtectedServer::ProtectedServer(store::Store& store, Options options, ProtectedEndpoint& endpoint)
    : options_(std::move(options)),
      endpoint_(endpoint),
      access_(store),
      server_({.address = options_.address.ip,
               .port = options_.address.port,
               .credentials = {},
               .tokens = {},
               .limits = {},
               .tls = options_.tls,
               .threads = 1},  // AccessCheck is single-threaded
              *this) {}

ProtectedServer::~ProtectedServer() {
  reloads_.reset();
  server_.Stop();
}

base::Result<void> ProtectedServer::Start() {
  const auto self_signed = http::MakeTlsCredentials({}, store::SystemTime());
  if (!self_signed) return std::unexpected(self_signed.error());
  if (auto serves = Serve(*self_signed); !serves) return serves;
  reloads_ = std::make_unique<store::Periodic>(options_.rate_limit, [this] { return Reload(); });
  return {};
}

base::Result<void> ProtectedServer::Serve(const http::TlsCredentials& credentials) {
  if (auto serves = server_.Serve(credentials); !serves) return serves;
  served_ = credentials;
  return {};
}

bool ProtectedServer::Reload() {
  http::TlsCredentials credentials = served_;
  if (const auto given = CertificateIn(options_.certificates)) credentials.server = *given;
  const bool is_fresh = endpoint_.Refresh(credentials);
  if (credentials.server == served_.server && credentials.authority == served_.authority)
    return is_fresh;
  const base::Result<void> serves = Serve(credentials);
  if (!serves) options_.log(base::ToString(serves.error()));
  return serves.has_value() && is_fresh;
}

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
