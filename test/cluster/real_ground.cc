#include "cluster/real_ground.h"

#include <iostream>
#include <thread>
#include <utility>

#include "cluster/control_plane.h"
#include "control/simulated_node.h"
#include "replica/replica.h"
#include "store/inbox.h"
#include "store/optional_kinds.h"

namespace berth::cluster {
namespace {

// Nodes on a thread of their own.
class SimulatedNodes {
 public:
  SimulatedNodes(store::Store& store, const jobs::IntegrationSet& integrations,
                 const control::SimulationSettings& settings)
      : store_(store), thread_([this, &integrations, settings] {
          const control::SimulatedNode nodes(store_, inbox_, integrations, settings);
          inbox_.Run();
        }) {}
  ~SimulatedNodes() {
    inbox_.Stop();
    thread_.join();
  }

 private:
  store::OptionalKinds store_;
  store::Inbox inbox_;
  std::thread thread_;
};

class RealGround final : public embedded::testing::Ground {
 public:
  RealGround(std::unique_ptr<replica::Replica> replica, const embedded::Cluster::Options& options)
      : replica_(std::move(replica)) {
    if (options.nodes)
      nodes_ = std::make_unique<SimulatedNodes>(ControlPlane::Get().store(), *options.integrations,
                                                *options.nodes);
  }
  ~RealGround() override {
    nodes_.reset();
    replica_.reset();
    if (const auto cleared = ControlPlane::Get().Clear(); !cleared)
      std::cerr << "clearing the cluster: " << base::ToString(cleared.error()) << '\n';
  }

  store::Store& store() override { return ControlPlane::Get().store(); }
  bool IsQuiet() override { return replica_->IsQuiet(); }

 private:
  std::unique_ptr<replica::Replica> replica_;
  std::unique_ptr<SimulatedNodes> nodes_;
};

api::Configuration OnLoopback(api::Configuration configuration, uint16_t webhook_port) {
  configuration.webhook.host = "127.0.0.1";
  configuration.webhook.port = webhook_port;
  configuration.health.health_probe_bind_address = "0";
  configuration.metrics.bind_address = "0";
  return configuration;
}

}  // namespace

base::Result<std::unique_ptr<embedded::testing::Ground>> StartRealGround(
    embedded::Cluster::Options options) {
  ControlPlane& plane = ControlPlane::Get();
  if (auto cleared = plane.Clear(); !cleared) return std::unexpected(cleared.error());
  if (auto installed = plane.Install(options.configuration); !installed)
    return std::unexpected(installed.error());
  return StartOnWhatThereIs(std::move(options));
}

base::Result<std::unique_ptr<embedded::testing::Ground>> StartOnWhatThereIs(
    embedded::Cluster::Options options) {
  ControlPlane& plane = ControlPlane::Get();
  if (auto installed = plane.InstallWebhooks(options.configuration); !installed)
    return std::unexpected(installed.error());
  auto replica = replica::Replica::Start(
      {.access = plane.account(),
       .configuration = OnLoopback(options.configuration, plane.webhook_port()),
       .gates = options.gates,
       .integrations = options.integrations,
       .log = options.log});
  if (!replica) return std::unexpected(replica.error());
  const bool is_there = ControlPlane::Eventually([&] {
    return (*replica)->IsReady() && (*replica)->IsLeading() && plane.AreWebhooksServed();
  });
  if (!is_there) return base::Fail("the replica does not become ready");
  return std::make_unique<RealGround>(std::move(*replica), options);
}

}  // namespace berth::cluster
