#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/tls_credentials.h"
#include "base/error.h"
#include "observe/pending_list.h"
#include "replica/bind_address.h"
#include "store/periodic.h"
#include "store/store.h"

namespace berth::replica {

// Serves who waits in a queue (observe/pending_list.h) over TLS: to the cluster's API server, which
// an APIService sends here and which asks for its users, and to whoever shows a bearer token. They
// see what the cluster lets them.
class VisibilityServer {
 public:
  using Summary = std::optional<std::string>;  // nullopt: there is no such queue
  // Gives the summary to `then`, on the executor.
  using List = std::function<void(const observe::PendingQuery& query, store::Executor& executor,
                                  std::move_only_function<void(Summary)> then)>;
  struct Options {
    BindAddress address;
    apiserver::TlsLimits tls;
    List list;
    // A folder with tls.crt and tls.key, which somebody else keeps up to date. Without them, or if
    // it is "", the certificate is made here, and nobody can verify it.
    std::string certificates;
    store::Periodic::Pace pace = {};  // of looking for these, and for the API server's proxy
    std::function<void(std::string_view)> log = [](std::string_view) {};  // from any thread
  };

  // Listens when this returns. The store, of the cluster that is asked about users, must outlive
  // it and let us write.
  static base::Result<std::unique_ptr<VisibilityServer>> Start(store::Store& store,
                                                               Options options);
  ~VisibilityServer();

  uint16_t port() const;

 private:
  struct Parts;
  explicit VisibilityServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::replica
