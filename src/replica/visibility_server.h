#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "observe/pending_list.h"
#include "replica/protected_server.h"
#include "store/store.h"

namespace berth::replica {

// Serves the visibility API, the pending workloads of a queue (observe/pending_list.h), over TLS:
// to the cluster's API server, which an APIService directs here on behalf of its users, and to
// bearer tokens. RBAC of the cluster decides what a user may read.
class VisibilityServer {
 public:
  using Summary = std::optional<std::string>;  // nullopt: there is no such queue
  // Passes the summary to `then` on the executor.
  using List = std::function<void(const observe::PendingQuery& query, store::Executor& executor,
                                  std::move_only_function<void(Summary)> then)>;

  // Listens when this returns. The store must outlive the server and allow writes. The API server's
  // front proxy is looked up with each reload of the certificate.
  static base::Result<std::unique_ptr<VisibilityServer>> Start(store::Store& store, List list,
                                                               ProtectedServer::Options options);
  ~VisibilityServer();

  uint16_t port() const;

 private:
  class Endpoint;
  VisibilityServer(store::Store& store, List list, const ProtectedServer::Options& options);

  std::unique_ptr<Endpoint> endpoint_;
  ProtectedServer server_;
};

}  // namespace berth::replica
