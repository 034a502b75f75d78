#include "cluster/real_environment.h"

#include <chrono>
#include <iostream>
#include <thread>
#include <utility>

#include "cluster/control_plane.h"
#include "json/json.h"
#include "replica/replica.h"
#include "store/system_time.h"

namespace berth::cluster {
namespace {

class RealEnvironment final : public embedded::testing::TestEnvironment {
 public:
  explicit RealEnvironment(std::unique_ptr<replica::Replica> replica)
      : replica_(std::move(replica)) {}
  ~RealEnvironment() override {
    replica_.reset();
    if (const auto cleared = ControlPlane::Get().Clear(); !cleared)
      std::cerr << "clearing the cluster: " << base::ToString(cleared.error()) << '\n';
  }

  store::Store& store() override { return ControlPlane::Get().store(); }
  bool IsQuiet() override { return replica_->IsQuiet() && !IsAwaited(); }
  void Pass(base::Duration duration) override {
    std::this_thread::sleep_for(std::chrono::nanoseconds(duration.nanos));
  }
  base::Time Now() override { return store::SystemTime(); }

 private:
  // Whether the garbage collector or the replica have yet to see something. Called in a loop:
  // cached briefly to spare the server.
  bool IsAwaited() {
    const auto now = std::chrono::steady_clock::now();
    if (now - checked_ < std::chrono::milliseconds(80)) return is_awaited_;
    checked_ = now;
    ControlPlane& plane = ControlPlane::Get();
    return is_awaited_ = plane.HasGarbage() || plane.HasUnseenQueues();
  }

  std::unique_ptr<replica::Replica> replica_;
  std::chrono::steady_clock::time_point checked_;
  bool is_awaited_ = false;
};

constexpr std::string_view kLargeNode = R"({"apiVersion": "v1", "kind": "Node",
  "metadata": {"name": "large", "labels": {"kubernetes.io/hostname": "large"}},
  "status": {"capacity": {"cpu": "1000", "memory": "1000Gi", "pods": "1000"},
             "allocatable": {"cpu": "1000", "memory": "1000Gi", "pods": "1000"}}})";

api::Configuration OnLoopback(api::Configuration configuration) {
  configuration.webhook.host = "127.0.0.1";
  configuration.webhook.port = ControlPlane::Get().webhook_port();
  configuration.visibility_server = api::VisibilityServerSettings{
      .bind_address = "127.0.0.1", .bind_port = ControlPlane::Get().visibility_port()};
  configuration.health.health_probe_bind_address = "0";
  configuration.metrics.bind_address = "0";
  return configuration;
}

}  // namespace

base::Result<std::unique_ptr<embedded::testing::TestEnvironment>> StartRealEnvironment(
    embedded::Cluster::Options options) {
  ControlPlane& plane = ControlPlane::Get();
  // Running controllers would write about objects that are being removed.
  if (auto runs = plane.RunPods(options.nodes.has_value()); !runs)
    return std::unexpected(runs.error());
  if (auto cleared = plane.Clear(); !cleared) return std::unexpected(cleared.error());
  if (options.nodes)
    if (const auto made = plane.Apply(*json::Parse(kLargeNode)); !made)
      return base::Fail(store::ToString(made.error()));
  if (auto installed = plane.Install(options.configuration); !installed)
    return std::unexpected(installed.error());
  if (auto collected = plane.AwaitCollector(); !collected)
    return std::unexpected(collected.error());
  return StartWithoutClearing(std::move(options));
}

base::Result<std::unique_ptr<embedded::testing::TestEnvironment>> StartWithoutClearing(
    embedded::Cluster::Options options) {
  ControlPlane& plane = ControlPlane::Get();
  if (auto installed = plane.InstallWebhooks(options.configuration); !installed)
    return std::unexpected(installed.error());
  auto replica = replica::Replica::Start({.access = plane.account(),
                                          .configuration = OnLoopback(options.configuration),
                                          .gates = options.gates,
                                          .integrations = options.integrations,
                                          .log = options.log,
                                          .taps = options.taps});
  if (!replica) return std::unexpected(replica.error());
  const bool is_there = ControlPlane::Eventually([&] {
    return (*replica)->IsReady() && (*replica)->IsLeading() && plane.AreWebhooksServed();
  });
  if (!is_there) return base::Fail("the replica does not become ready");
  return std::make_unique<RealEnvironment>(std::move(*replica));
}

}  // namespace berth::cluster
