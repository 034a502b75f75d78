#pragma once

// An HTTP/1.1 client for one server, over TLS unless the URL says http. Connections are pooled and
// kept alive; each carries one request at a time, and requests beyond the limit of connections are
// queued. One thread does all I/O and runs posted tasks, so state used only by these needs no lock.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/time.h"
#include "kube/endpoint.h"
#include "kube/request.h"
#include "kube/response.h"
#include "kube/tls_context.h"
#include "store/executor.h"
#include "store/failure.h"

namespace berth::kube {

struct WireOptions {
  Endpoint server;
  std::optional<Endpoint> proxy;  // tunnels with CONNECT
  std::string server_name;        // expected in the certificate; "" is the host
  TlsIdentity identity;
  std::string user_agent = "berth";

  size_t connections = 64;  // of requests; streams are extra
  base::Duration connect = base::Duration::Seconds(10);
  base::Duration answer = base::Duration::Seconds(60);
  base::Duration idle = base::Duration::Seconds(60);  // before an unused connection is closed
  size_t body_bytes = size_t{1} << 30;
};

class Wire final : public store::Executor {
 public:
  // The result of a request. `was_sent` is false if the server cannot have seen it.
  using Done = std::move_only_function<void(store::Outcome<Response>, bool was_sent)>;

  // Does not connect yet.
  static base::Result<std::unique_ptr<Wire>> Open(WireOptions options);
  // Drops requests in flight, without an answer.
  ~Wire() override;

  // Thread-safe.
  void Post(store::Task task) override;
  void PostAfter(base::Duration delay, store::Task task) override;
  // Monotonic time with an arbitrary origin.
  base::Time Now() const override;

  // The functions below are for tasks of the wire. All callbacks run there too.

  // `headers` are additional header lines, each with its line end.
  void Send(Request request, std::string headers, Done done);

  // A streaming response.
  class Stream {
   public:
    virtual ~Stream() = default;
    // No callback runs afterwards.
    virtual void Cancel() = 0;
    // Stops reading until Resume, which applies back-pressure to the server.
    virtual void Pause() = 0;
    virtual void Resume() = 0;
  };
  struct StreamHandlers {
    std::move_only_function<void(std::string bytes)> on_bytes;
    // Once, at the end: nullopt if the server ended the response normally.
    std::move_only_function<void(std::optional<store::Failure>)> on_end;
  };
  std::shared_ptr<Stream> Begin(const Request& request, const std::string& headers,
                                StreamHandlers handlers);

  // Sets the identity of new connections and closes idle ones.
  base::Result<void> Use(TlsIdentity identity);

 private:
  class Core;
  explicit Wire(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
};

}  // namespace berth::kube
