#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "apiserver/http_server.h"
#include "base/error.h"

namespace berth::apiserver {

// A server on one port whose certificate may be replaced while it runs: for a moment nobody
// listens, and requests under way are finished first.
class RenewableServer {
 public:
  // The handler must outlive it. Does not listen before Serve.
  RenewableServer(HttpServerOptions options, HttpHandler& handler);
  ~RenewableServer();  // lets requests under way finish

  base::Result<void> Serve(const TlsCredentials& credentials);
  uint16_t port() const;  // 0 while it does not serve
  // As HttpServer::Stop, for good.
  void Stop();

 private:
  HttpServerOptions options_;
  HttpHandler& handler_;
  mutable std::mutex mutex_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace berth::apiserver
