#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "http/server.h"

namespace berth::http {

// A server on one port whose certificate can be replaced while it runs: requests in progress
// finish, then the port is closed for a moment.
class RenewableServer {
 public:
  // The handler must outlive the server. Does not listen before Serve.
  RenewableServer(ServerOptions options, Handler& handler);
  ~RenewableServer();  // lets requests in progress finish

  base::Result<void> Serve(const TlsCredentials& credentials);
  uint16_t port() const;  // 0 while not serving
  // As Server::Stop, permanently.
  void Stop();

 private:
  ServerOptions options_;
  Handler& handler_;
  mutable std::mutex mutex_;
  std::unique_ptr<Server> server_;
};

}  // namespace berth::http
