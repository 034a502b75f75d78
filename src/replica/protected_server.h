#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "http/tls_credentials.h"
#include "json/json.h"
#include "replica/access_check.h"
#include "replica/certified_server.h"
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
// SubjectAccessReview.
class ProtectedServer final : private http::Handler {
 public:
  using Options = CertifiedServer::Options;

  // Does not listen before Start. The store and the endpoint must outlive the server; the store
  // must allow writes, because reviews are created.
  ProtectedServer(store::Store& store, Options options, ProtectedEndpoint& endpoint);

  // Listens when this returns.
  base::Result<void> Start() { return server_.Start(); }

  uint16_t port() const { return server_.port(); }

 private:
  void Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) override;
  // The API server authenticates callers, not the TLS layer.
  bool IsOpenToAll(std::string_view) const override { return true; }

  ProtectedEndpoint& endpoint_;
  AccessCheck access_;
  CertifiedServer server_;
};

}  // namespace berth::replica
