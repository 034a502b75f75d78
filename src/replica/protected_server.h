#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "http/renewable_server.h"
#include "http/tls_credentials.h"
#include "json/json.h"
#include "replica/access_check.h"
#include "replica/bind_address.h"
#include "store/periodic.h"
#include "store/store.h"

namespace berth::replica {

// The API behind a ProtectedServer. Requests are handled on one thread, that of their exchange.
class ProtectedEndpoint {
 public:
  virtual ~ProtectedEndpoint() = default;

  // The response to a request that is rejected before authentication; nullopt for all others.
  virtual std::optional<http::Response> Reject(const http::Request& request) const = 0;
  // The access that the request needs.
  virtual AccessAttributes AttributesOf(const http::Request& request) const = 0;
  // The user that a trusted proxy forwards the request for, as in a SubjectAccessReview. Empty: the
  // bearer token is authenticated.
  virtual json::object ForwardedUser(const http::Request&) { return {}; }
  // The response to a request without access. `access` is not kAllowed.
  virtual http::Response Denial(Access access) const = 0;
  // Answers an authorized request.
  virtual void Serve(const http::Request& request, std::shared_ptr<http::Exchange> exchange) = 0;
  // Called on the reload thread before certificates are compared; may replace the client CA. False
  // after a failure: the reload is repeated soon.
  virtual bool Refresh(http::TlsCredentials&) { return true; }
};

// An HTTPS server whose callers the cluster authenticates and authorizes, by TokenReview and
// SubjectAccessReview. The serving certificate is reloaded while the server runs.
class ProtectedServer final : private http::Handler {
 public:
  struct Options {
    BindAddress address;
    http::TlsLimits tls;
    // A directory with tls.crt and tls.key, maintained by cert-manager or an administrator. Without
    // these files, or if it is "", the server uses a self-signed certificate.
    std::string certificates;
    store::Periodic::RateLimit rate_limit = {};                           // of reloads
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };

  // Does not listen before Start. The store and the endpoint must outlive the server; the store
  // must allow writes, because reviews are created.
  ProtectedServer(store::Store& store, Options options, ProtectedEndpoint& endpoint);
  ~ProtectedServer() override;

  // Listens when this returns.
  base::Result<void> Start();

  uint16_t port() const { return server_.port(); }

 private:
  base::Result<void> Serve(const http::TlsCredentials& credentials);
  bool Reload();

  void Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) override;
  // The API server authenticates callers, not the TLS layer.
  bool IsOpenToAll(std::string_view) const override { return true; }

  Options options_;
  ProtectedEndpoint& endpoint_;
  AccessCheck access_;
  http::TlsCredentials served_;
  http::RenewableServer server_;
  std::unique_ptr<store::Periodic> reloads_;
};

}  // namespace berth::replica
