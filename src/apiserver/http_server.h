#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "apiserver/http_message.h"
#include "apiserver/tls_credentials.h"
#include "apiserver/tokens.h"
#include "base/error.h"
#include "base/time.h"

namespace berth::apiserver {

// What one client, or all together, may take of the server.
struct HttpLimits {
  size_t body_bytes = 3 << 20;
  size_t header_bytes = 64 << 10;
  size_t connections = 4096;
  size_t streams = 2048;
  size_t stream_backlog_bytes = 4 << 20;  // texts that a client has not taken yet

  base::Duration handshake = base::Duration::Seconds(10);
  base::Duration header = base::Duration::Seconds(10);
  base::Duration body = base::Duration::Seconds(30);
  base::Duration idle = base::Duration::Seconds(180);  // between requests
  // For a piece of a response, of 64 KiB at most, to be taken by the client.
  base::Duration write = base::Duration::Seconds(30);
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // an IP address
  uint16_t port = 0;                  // 0 is any that is free
  TlsCredentials credentials;
  TokenTable tokens;
  HttpLimits limits;
  TlsLimits tls = {};
  size_t threads = 2;
};

// HTTP/1.1 over TLS, with connections that stay open. A request proves who makes it with a client
// certificate of our authority or with a bearer token; anything else is 401, before the handler
// sees it. A connection belongs to one thread for all its life.
class HttpServer {
 public:
  // Listens when this returns. The handler, and the store that it calls, must outlive the server.
  static base::Result<std::unique_ptr<HttpServer>> Start(HttpServerOptions options,
                                                         HttpHandler& handler);
  ~HttpServer();  // Stop, with no grace left

  uint16_t port() const;

  // Takes no more connections, ends all streams, lets requests under way finish for so long, and
  // returns when every connection is closed and every handler's answer has come.
  void Stop(base::Duration grace);

 private:
  class Listener;
  explicit HttpServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace berth::apiserver
