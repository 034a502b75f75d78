#pragma once

// HTTP/1.1 to one server, over TLS unless its address says http. Connections stay open and are used
// again; many requests are under way at a time, each on a connection of its own; what is more than
// there may be connections waits in line. One thread does all of it, and runs the tasks that are
// posted here: what whoever uses the wire keeps for it needs no locks either.

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
  std::optional<Endpoint> proxy;  // asked to connect us through (CONNECT)
  std::string server_name;        // in the certificate; "" is the server's host
  TlsIdentity identity;
  std::string user_agent = "berth";

  size_t connections = 64;  // of requests; streams have their own
  base::Duration connect = base::Duration::Seconds(10);
  base::Duration answer = base::Duration::Seconds(60);
  base::Duration idle = base::Duration::Seconds(60);  // then an unused connection is closed
  size_t body_bytes = size_t{1} << 30;
};

class Wire final : public store::Executor {
 public:
  // What became of a request. `was_sent` is false if the server cannot have seen it.
  using Done = std::move_only_function<void(store::Outcome<Response>, bool was_sent)>;

  // Nothing is connected yet.
  static base::Result<std::unique_ptr<Wire>> Open(WireOptions options);
  // What is under way is dropped, without an answer.
  ~Wire() override;

  // From any thread.
  void Post(store::Task task) override;
  void PostAfter(base::Duration delay, store::Task task) override;
  // By a clock that never goes back; its zero means nothing.
  base::Time Now() const override;

  // The functions below are for tasks of the wire, which is where everything is called back.

  // `headers` are further lines of the header, each with its line end.
  void Send(Request request, std::string headers, Done done);

  // A response without a known end.
  class Stream {
   public:
    virtual ~Stream() = default;
    // Nothing is called back from now on.
    virtual void Cancel() = 0;
    // Nothing is read until Resume: the server has to wait.
    virtual void Pause() = 0;
    virtual void Resume() = 0;
  };
  struct StreamHandlers {
    std::move_only_function<void(std::string bytes)> on_bytes;
    // Once, at the end: nullopt if the server ended it in good order.
    std::move_only_function<void(std::optional<store::Failure>)> on_end;
  };
  std::shared_ptr<Stream> Begin(const Request& request, const std::string& headers,
                                StreamHandlers handlers);

  // New connections show this; those that are idle are closed.
  base::Result<void> Use(TlsIdentity identity);

 private:
  class Core;
  explicit Wire(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
};

}  // namespace berth::kube
