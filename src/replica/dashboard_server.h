#pragma once

#include <cstdint>
#include <memory>

#include "base/error.h"
#include "dashboard/dashboard.h"
#include "replica/certified_server.h"
#include "replica/cluster_gate.h"
#include "store/store.h"

namespace berth::replica {

// Serves the dashboard over HTTPS to users of the cluster, who log in with a bearer token.
class DashboardServer {
 public:
  // Listens when this returns. The store must outlive the server and allow writes. The controllers
  // of the source must run until the server is destroyed.
  static base::Result<std::unique_ptr<DashboardServer>> Start(store::Store& store,
                                                              dashboard::StateSource source,
                                                              dashboard::Dashboard::Options options,
                                                              CertifiedServer::Options server);
  ~DashboardServer();  // finishes requests in progress

  uint16_t port() const { return server_->port(); }

 private:
  DashboardServer() = default;

  std::unique_ptr<ClusterGate> gate_;
  std::unique_ptr<dashboard::Dashboard> dashboard_;
  std::unique_ptr<CertifiedServer> server_;
};

}  // namespace berth::replica
