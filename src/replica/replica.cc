#include "replica/replica.h"

#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "control/configuration_check.h"
#include "control/controller.h"
#include "kube/client.h"
#include "kube/elector.h"
#include "observe/pending_list.h"
#include "observe/scrape.h"
#include "replica/bind_address.h"
#include "replica/dashboard_server.h"
#include "replica/metrics_server.h"
#include "replica/probe_server.h"
#include "replica/visibility_server.h"
#include "store/inbox.h"
#include "store/optional_kinds.h"
#include "store/tapped_store.h"
#include "webhook_server/server.h"

namespace berth::replica {
namespace {

// Where Kueue's manifests mount the certificates of cert-manager.
constexpr std::string_view kMetricsCertificates = "/etc/kueue/metrics/certs";
constexpr std::string_view kVisibilityCertificates = "/visibility";
constexpr base::Duration kSyncPollPeriod = base::Duration::Milliseconds(100);

std::string ProbePath(const std::string& name, std::string_view usual) {
  const std::string path = name.empty() ? std::string(usual) : name;
  return path.starts_with('/') ? path : "/" + path;
}

kube::ElectionSettings ElectionOf(const api::Configuration& configuration,
                                  const std::string& identity) {
  const api::LeaderElectionSettings& election = *configuration.leader_election;
  return {.identity = identity,
          .namespace_ = election.resource_namespace.empty() ? configuration.namespace_
                                                            : election.resource_namespace,
          .name = election.resource_name,
          .lease_duration = election.lease_duration,
          .renew_deadline = election.renew_deadline,
          .retry_period = election.retry_period};
}

}  // namespace

// In dependency order: later members use earlier ones.
struct Replica::Parts {
  Options options;
  std::string identity = kube::NewIdentity();
  std::atomic<bool> is_ready = false;
  std::atomic<bool> has_lost = false;

  // A separate client, so that no other request delays a lease renewal. It may write in followers
  // too: all replicas serve webhooks, metrics and the visibility API.
  std::unique_ptr<kube::Client> common_client;
  std::unique_ptr<kube::Elector> elector;
  std::atomic<const kube::Elector*> lead = nullptr;  // elector, for the thread of `client`

  std::unique_ptr<kube::Client> client;
  std::unique_ptr<store::OptionalKinds> optional_kinds;
  std::unique_ptr<store::TappedStore> store;
  std::unique_ptr<observe::Metrics> metrics;
  store::Inbox inbox;  // executor of the controller thread
  std::unique_ptr<journal::Recorder> recorder;
  std::unique_ptr<control::Controller> controller;
  std::thread thread;
  std::unique_ptr<webhook_server::Server> webhooks;
  std::unique_ptr<ProbeServer> probes;
  std::unique_ptr<MetricsServer> metrics_server;
  std::unique_ptr<VisibilityServer> visibility;
  std::unique_ptr<DashboardServer> dashboard;

  bool IsElected() const {
    return options.configuration.leader_election &&
           options.configuration.leader_election->leader_elect.value_or(false);
  }

  bool MakesCertificates() const {
    const auto& internal = options.configuration.internal_cert_management;
    return internal && internal->enable.value_or(true);
  }

  bool MayWrite() const {
    if (!IsElected()) return true;
    const kube::Elector* current = lead;
    return current != nullptr && current->IsLeading();
  }

  base::Result<void> Connect() {
    kube::ClientOptions settings{.may_write = [this] { return MayWrite(); }};
    if (const auto& connection = options.configuration.client_connection) {
      settings.requests_per_second = connection->qps.value_or(settings.requests_per_second);
      settings.burst = connection->burst.value_or(settings.burst);
    }
    auto made = kube::Client::Make(options.access, std::move(settings));
    if (!made) return std::unexpected(made.error());
    client = std::move(*made);
    optional_kinds = std::make_unique<store::OptionalKinds>(*client);
    store = std::make_unique<store::TappedStore>(*optional_kinds, options.taps);
    return {};
  }

  // Without it, decisions are the same.
  void StartJournal() {
    if (!options.journal) return;
    auto started =
        journal::Recorder::Start(*options.journal, {.configuration = options.configuration,
                                                    .gates = options.gates,
                                                    .version = options.build.version,
                                                    .now = inbox.Now(),
                                                    .log = options.log});
    if (started)
      recorder = std::move(*started);
    else
      options.log("Journal not kept: " + base::ToString(started.error()));
  }

  control::Controller::Settings ControllerSettings() {
    control::Controller::Settings settings{
        .configuration = options.configuration,
        .gates = options.gates,
        .integrations = options.integrations,
        .instance = identity,
        .is_leading = !IsElected(),
        .log = options.log,
        .observe = [this](const control::ControllerEvent& event,
                          const workload::ClusterState& cluster) {
          metrics->Observe(event, cluster);
        }};
    if (recorder) recorder->Attach(settings);
    return settings;
  }

  void StartControllers() {
    thread = std::thread([this] {
      controller = std::make_unique<control::Controller>(*store, inbox, ControllerSettings());
      AwaitSync();
      inbox.Run();
      controller.reset();
    });
  }

  void AwaitSync() {
    if (controller->is_synced()) {
      is_ready = true;
      options.note("Caches synced");
      return;
    }
    inbox.PostAfter(kSyncPollPeriod, [this] { AwaitSync(); });
  }

  base::Result<void> ConnectCommon() {
    const base::Duration deadline = options.configuration.leader_election->renew_deadline;
    auto made = kube::Client::Make(options.access, {.requests_per_second = 0,
                                                    .answer_limit = {deadline.nanos / 2},
                                                    .retry = {.most_attempts = 1}});
    if (!made) return std::unexpected(made.error());
    common_client = std::move(*made);
    return {};
  }

  void StartElection() {
    if (!IsElected()) return;
    elector = std::make_unique<kube::Elector>(
        *common_client, ElectionOf(options.configuration, identity),
        kube::Elector::Handlers{.on_leading = [this] { Lead(); },
                                .on_lost =
                                    [this] {
                                      options.log("Leader lease lost; another replica may lead");
                                      has_lost = true;
                                    },
                                .log = options.log});
    lead = elector.get();
  }

  void StartWebhooks() {
    webhooks = std::make_unique<webhook_server::Server>(
        *common_client, webhook_server::Server::Options{.configuration = options.configuration,
                                                        .gates = options.gates,
                                                        .integrations = options.integrations,
                                                        .log = options.log});
  }

  bool IsReady() const { return is_ready && webhooks && webhooks->IsReady(); }

  void Lead() {
    options.note("Leader elected: " + identity);
    metrics->SetRole(observe::Role::kLeader);
    inbox.Post([this] { controller->Lead(); });
  }

  base::Result<void> StartMetrics() {
    const api::Configuration& configuration = options.configuration;
    const auto role = IsElected() ? observe::Role::kFollower : observe::Role::kStandalone;
    metrics = std::make_unique<observe::Metrics>(
        observe::MetricOptions::From(configuration, options.gates), role, options.build);
    const auto address = ParseBindAddress(configuration.metrics.bind_address);
    if (!address) return std::unexpected(address.error());
    if (!*address) return {};
    auto started = MetricsServer::Start(
        *common_client,
        [this](store::Executor& executor, std::move_only_function<void(std::string)> then) {
          observe::Scrape(
              *metrics, inbox,
              [this]() -> const workload::ClusterState& { return controller->cluster(); }, executor,
              std::move(then));
        },
        {.address = **address,
         .tls = webhook_server::TlsLimitsOf(configuration, options.gates),
         .certificates = MakesCertificates() ? "" : std::string(kMetricsCertificates),
         .log = options.log});
    // Admission must not depend on the metrics port.
    if (!started) {
      options.log("Metrics not served: " + started.error().message +
                  "; change metrics.bindAddress, or stop the process that uses it");
      return {};
    }
    metrics_server = std::move(*started);
    return {};
  }

  void StartVisibility() {
    const auto& settings = options.configuration.visibility_server;
    if (!settings || !options.gates.IsOn(api::Gate::kVisibilityOnDemand)) return;
    auto started = VisibilityServer::Start(
        *common_client,
        [this](const observe::PendingQuery& query, store::Executor& executor,
               std::move_only_function<void(VisibilityServer::Summary)> then) {
          inbox.Post([this, query, &executor, then = std::move(then)]() mutable {
            executor.Post([summary = observe::PendingSummary(query, controller->cluster()),
                           then = std::move(then)]() mutable { then(std::move(summary)); });
          });
        },
        {.address = {.ip = settings->bind_address.value_or("0.0.0.0"),
                     .port = static_cast<uint16_t>(settings->bind_port.value_or(0))},
         .tls = webhook_server::TlsLimitsOf(options.configuration, options.gates),
         .certificates = MakesCertificates() ? "" : std::string(kVisibilityCertificates),
         .log = options.log});
    if (started) return void(visibility = std::move(*started));
    options.log("Visibility API not served: " + started.error().message +
                "; change visibilityServer.bindPort, or stop the process that uses it");
  }

  base::Result<void> StartDashboard() {
    const auto address = ParseBindAddress(options.dashboard_address);
    if (!address) return std::unexpected(address.error());
    if (!*address) return {};
    auto started = DashboardServer::Start(
        *common_client,
        {.controllers = inbox,
         .cluster = [this]() -> workload::ClusterState& { return controller->cluster(); },
         .revision = [this] { return controller->revision(); },
         .store = *common_client},
        {.mode = "cluster",
         .version = options.build.version,
         .hosts = {},
         .what_if = {.configuration = options.configuration, .gates = options.gates},
         .journal = recorder ? options.journal->directory : std::filesystem::path()},
        {.address = **address,
         .tls = webhook_server::TlsLimitsOf(options.configuration, options.gates),
         .certificates = options.dashboard_certificates,
         .log = options.log});
    if (!started) {
      options.log("Dashboard not served: " + started.error().message +
                  "; change --dashboard-bind-address, or stop the process that uses it");
      return {};
    }
    dashboard = std::move(*started);
    return {};
  }

  base::Result<void> StartProbes() {
    const api::HealthSettings& health = options.configuration.health;
    const auto address = ParseBindAddress(health.health_probe_bind_address);
    if (!address) return std::unexpected(address.error());
    if (!*address) return {};
    auto started =
        ProbeServer::Start(**address, {{.path = ProbePath(health.liveness_endpoint_name, "healthz"),
                                        .is_healthy = [this] { return !has_lost; }},
                                       {.path = ProbePath(health.readiness_endpoint_name, "readyz"),
                                        .is_healthy = [this] { return IsReady() && !has_lost; }}});
    if (!started) return std::unexpected(started.error());
    probes = std::move(*started);
    return {};
  }

  ~Parts() {
    dashboard.reset();
    visibility.reset();
    metrics_server.reset();
    probes.reset();
    webhooks.reset();
    if (thread.joinable()) {
      inbox.Stop();
      thread.join();
    }
    // Writes of the controllers are sent or dropped now; release the lease only after that.
    client.reset();
    lead = nullptr;
    if (elector && !has_lost) elector->HandOver();
  }
};

Replica::Replica(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Replica::~Replica() = default;

base::Result<std::unique_ptr<Replica>> Replica::Start(Options options) {
  auto parts = std::make_unique<Parts>();
  parts->options = std::move(options);
  Parts& all = *parts;
  if (auto checked = control::CheckConfiguration(all.options.configuration, all.options.gates,
                                                 all.options.log);
      !checked)
    return std::unexpected(checked.error());
  if (auto connected = all.Connect(); !connected) return std::unexpected(connected.error());
  if (auto connected = all.ConnectCommon(); !connected) return std::unexpected(connected.error());
  all.StartWebhooks();
  if (auto started = all.StartProbes(); !started) return std::unexpected(started.error());
  if (auto started = all.StartMetrics(); !started) return std::unexpected(started.error());
  all.StartJournal();
  all.StartControllers();
  all.StartVisibility();
  if (auto started = all.StartDashboard(); !started) return std::unexpected(started.error());
  all.StartElection();
  return std::unique_ptr<Replica>(new Replica(std::move(parts)));
}

bool Replica::IsLeading() const { return parts_->MayWrite(); }
bool Replica::IsReady() const { return parts_->IsReady(); }
bool Replica::HasLost() const { return parts_->has_lost; }

bool Replica::IsQuiet() {
  std::promise<bool> answer;
  parts_->inbox.Post([&] { answer.set_value(parts_->controller->is_idle()); });
  return answer.get_future().get();
}

uint16_t Replica::probe_port() const { return parts_->probes ? parts_->probes->port() : 0; }
uint16_t Replica::visibility_port() const {
  return parts_->visibility ? parts_->visibility->port() : 0;
}
uint16_t Replica::dashboard_port() const {
  return parts_->dashboard ? parts_->dashboard->port() : 0;
}
uint16_t Replica::metrics_port() const {
  return parts_->metrics_server ? parts_->metrics_server->port() : 0;
}

}  // namespace berth::replica
