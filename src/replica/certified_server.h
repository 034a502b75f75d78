#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "http/renewable_server.h"
#include "http/tls_credentials.h"
#include "replica/bind_address.h"
#include "store/periodic.h"

namespace berth::replica {

// An HTTPS server whose serving certificate is reloaded while it runs.
class CertifiedServer {
 public:
  struct Options {
    BindAddress address;
    http::TlsLimits tls;
    // A directory with tls.crt and tls.key, maintained by cert-manager or an administrator. Without
    // these files, or if it is "", the server uses a self-signed certificate.
    std::string certificates;
    http::Limits limits = {};
    store::Periodic::RateLimit rate_limit = {};                           // of reloads
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };
  // Called on the reload thread before certificates are compared; may replace the client CA. False
  // after a failure: the reload is repeated soon.
  using Refresh = std::function<bool(http::TlsCredentials&)>;

  // Does not listen before Start. The handler must outlive the server; it runs on one thread.
  CertifiedServer(
      Options options, http::Handler& handler,
      Refresh refresh = [](http::TlsCredentials&) { return true; });
  ~CertifiedServer();

  // Listens when this returns.
  base::Result<void> Start();
  // Finishes requests in progress, permanently.
  void Stop();

  uint16_t port() const { return server_.port(); }

 private:
  base::Result<void> Serve(const http::TlsCredentials& credentials);
  bool Reload();

  Options options_;
  Refresh refresh_;
  http::TlsCredentials served_;
  http::RenewableServer server_;
  std::unique_ptr<store::Periodic> reloads_;
};

}  // namespace berth::replica
