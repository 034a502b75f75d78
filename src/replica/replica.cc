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
#include "replica/metrics_server.h"
#include "replica/probe_server.h"
#include "replica/visibility_server.h"
#include "store/inbox.h"
#include "store/optional_kinds.h"
#include "webhook_server/server.h"

namespace berth::replica {
namespace {

// Where Kueue's manifests mount certificates that cert-manager keeps.
constexpr std::string_view kMetricsCertificates = "/etc/kueue/metrics/certs";
constexpr std::string_view kVisibilityCertificates = "/visibility";
constexpr base::Duration kSyncLook = base::Duration::Milliseconds(100);

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

// In the order in which they depend on each other: what comes later uses what comes before.
struct Replica::Parts {
  Options options;
  std::string identity = kube::NewIdentity();
  std::atomic<bool> is_ready = false;
  std::atomic<bool> has_lost = false;

  // Its own client, so that no other request holds a renewal back. What serves webhooks uses it
  // too: all replicas do so, whoever leads.
  std::unique_ptr<kube::Client> common_client;
  std::unique_ptr<kube::Elector> elector;
  std::atomic<const kube::Elector*> lead = nullptr;  // the same, for the client's thread

  std::unique_ptr<kube::Client> client;
  std::unique_ptr<store::OptionalKinds> store;
  std::unique_ptr<observe::Metrics> metrics;
  store::Inbox inbox;  // of the one thread that the controllers run on
  std::unique_ptr<control::Controller> controller;
  std::thread thread;
  std::unique_ptr<webhook_server::Server> webhooks;
  std::unique_ptr<ProbeServer> probes;
  std::unique_ptr<MetricsServer> metrics_server;
  std::unique_ptr<VisibilityServer> visibility;

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
    store = std::make_unique<store::OptionalKinds>(*client);
    return {};
  }

  void StartControllers() {
    thread = std::thread([this] {
      controller = std::make_unique<control::Controller>(
          *store, inbox,
          control::Controller::Settings{
              .configuration = options.configuration,
              .gates = options.gates,
              .integrations = options.integrations,
              .instance = identity,
              .is_leading = !IsElected(),
              .log = options.log,
              .observe = [this](const control::Fact& fact, const workload::EngineFeed& feed) {
                metrics->Observe(fact, feed);
              }});
      LookWhetherSynced();
      inbox.Run();
      controller.reset();
    });
  }

  void LookWhetherSynced() {
    if (controller->is_synced()) {
      is_ready = true;
      options.note("All objects are known");
      return;
    }
    inbox.PostAfter(kSyncLook, [this] { LookWhetherSynced(); });
  }

  base::Result<void> ConnectForAll() {
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
                                      options.log("The lease is lost; another replica may lead");
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
    options.note("This replica leads: " + identity);
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
        {.address = **address,
         .tls = webhook_server::TlsLimitsOf(configuration, options.gates),
         .certificates = MakesCertificates() ? "" : std::string(kMetricsCertificates),
         .scrape =
             [this](store::Executor& executor, std::move_only_function<void(std::string)> then) {
               observe::Scrape(
                   *metrics, inbox,
                   [this]() -> const workload::EngineFeed& { return controller->feed(); }, executor,
                   std::move(then));
             },
         .log = options.log});
    // Jobs must not wait because nobody can be told of them.
    if (!started) {
      options.log("Metrics are not served: " + started.error().message +
                  "; change metrics.bindAddress, or stop what uses it");
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
        {.address = {.ip = settings->bind_address.value_or("0.0.0.0"),
                     .port = static_cast<uint16_t>(settings->bind_port.value_or(0))},
         .tls = webhook_server::TlsLimitsOf(options.configuration, options.gates),
         .list =
             [this](const observe::PendingQuery& query, store::Executor& asker,
                    std::move_only_function<void(VisibilityServer::Summary)> then) {
               inbox.Post([this, query, &asker, then = std::move(then)]() mutable {
                 asker.Post([summary = observe::PendingSummary(query, controller->feed()),
                             then = std::move(then)]() mutable { then(std::move(summary)); });
               });
             },
         .certificates = MakesCertificates() ? "" : std::string(kVisibilityCertificates),
         .log = options.log});
    if (started) return void(visibility = std::move(*started));
    options.log("Who waits in a queue is not served: " + started.error().message +
                "; change visibilityServer.bindPort, or stop what uses it");
  }

  base::Result<void> StartProbes() {
    const api::HealthSettings& health = options.configuration.health;
    const auto address = ParseBindAddress(health.health_probe_bind_address);
    if (!address) return std::unexpected(address.error());
    if (!*address) return {};
    auto started =
        ProbeServer::Start(**address, {{.path = ProbePath(health.liveness_endpoint_name, "healthz"),
                                        .is_well = [this] { return !has_lost; }},
                                       {.path = ProbePath(health.readiness_endpoint_name, "readyz"),
                                        .is_well = [this] { return IsReady() && !has_lost; }}});
    if (!started) return std::unexpected(started.error());
    probes = std::move(*started);
    return {};
  }

  ~Parts() {
    visibility.reset();
    metrics_server.reset();
    probes.reset();
    webhooks.reset();
    if (thread.joinable()) {
      inbox.Stop();
      thread.join();
    }
    // What the controllers have sent is on its way or dropped; nothing comes after it.
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
  if (auto connected = all.ConnectForAll(); !connected) return std::unexpected(connected.error());
  all.StartWebhooks();
  if (auto started = all.StartProbes(); !started) return std::unexpected(started.error());
  if (auto started = all.StartMetrics(); !started) return std::unexpected(started.error());
  all.StartControllers();
  all.StartVisibility();
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
uint16_t Replica::metrics_port() const {
  return parts_->metrics_server ? parts_->metrics_server->port() : 0;
}

}  // namespace berth::replica
