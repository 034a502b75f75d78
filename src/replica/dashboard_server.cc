#include "replica/dashboard_server.h"

#include <set>
#include <string>
#include <utility>

#include "dashboard/limits.h"

namespace berth::replica {
namespace {

// The namespaces with LocalQueues, on the executor.
ClusterGate::ListNamespaces NamespacesIn(dashboard::StateSource source) {
  return [source = std::move(source)](store::Executor& executor, auto then) {
    source.controllers.Post([source, &executor, then = std::move(then)]() mutable {
      std::set<std::string> names;
      source.cluster().ForEachLocalQueue(
          [&](const api::LocalQueue& queue) { names.insert(queue.metadata.namespace_); });
      executor.Post(
          [names = std::move(names), then = std::move(then)]() mutable { then(std::move(names)); });
    });
  };
}

}  // namespace

base::Result<std::unique_ptr<DashboardServer>> DashboardServer::Start(
    store::Store& store, dashboard::StateSource source, dashboard::Dashboard::Options options,
    CertifiedServer::Options server) {
  std::unique_ptr<DashboardServer> made(new DashboardServer());
  made->gate_ = std::make_unique<ClusterGate>(store, NamespacesIn(source));
  made->dashboard_ =
      std::make_unique<dashboard::Dashboard>(std::move(source), *made->gate_, std::move(options));
  server.limits = dashboard::DashboardLimits();
  made->server_ = std::make_unique<CertifiedServer>(std::move(server), *made->dashboard_);
  if (auto started = made->server_->Start(); !started) return std::unexpected(started.error());
  return made;
}

DashboardServer::~DashboardServer() {
  server_->Stop();
  dashboard_.reset();  // its tasks use the server's executor
}

}  // namespace berth::replica
