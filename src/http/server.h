#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "http/message.h"
#include "http/tls_credentials.h"
#include "http/tokens.h"

namespace berth::http {

// Resource limits per client and for the whole server.
struct Limits {
  size_t body_bytes = 3 << 20;
  size_t header_bytes = 64 << 10;
  // A newcomer beyond them replaces the oldest client that has not authenticated yet.
  size_t connections = 4096;
  size_t streams = 2048;
  size_t stream_backlog_bytes = 4 << 20;  // text not yet read by a client

  base::Duration handshake = base::Duration::Seconds(10);
  // From the handshake to the end of the first header, and from the begin of another one to its
  // end.
  base::Duration header = base::Duration::Seconds(10);
  base::Duration body = base::Duration::Seconds(30);
  base::Duration idle = base::Duration::Seconds(180);  // between requests
  // For one piece of a response (up to 64 KiB) to be read by the client.
  base::Duration write = base::Duration::Seconds(30);
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // an IP address
  uint16_t port = 0;                  // 0 picks a free port
  // HTTP without TLS, for a loopback address only. Credentials are not used.
  bool is_plain = false;
  TlsCredentials credentials;
  TokenTable tokens;
  Limits limits;
  TlsLimits tls = {};
  size_t threads = 2;
};

// HTTP/1.1 with keep-alive, over TLS unless plain. A request authenticates with a client
// certificate of the authority or with a bearer token; otherwise the answer is 401 and the handler
// is not called. A connection stays on one thread.
class Server {
 public:
  // Listens on return. The handler, and the store that it calls, must outlive the server.
  static base::Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler& handler);
  ~Server();  // Stop without grace

  uint16_t port() const;

  // Stops accepting, ends all streams, gives requests in progress the grace period to finish, and
  // returns once every connection is closed and every handler has answered.
  void Stop(base::Duration grace);

 private:
  class Listener;
  explicit Server(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace berth::http
