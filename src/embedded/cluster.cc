#include "embedded/cluster.h"

#include <future>
#include <thread>
#include <utility>

#include "apiserver/embedded_store.h"
#include "apiserver/gc/collector.h"
#include "apiserver/handler/api_handler.h"
#include "apiserver/kubeconfig.h"
#include "apiserver/rest/router.h"
#include "control/configuration_check.h"
#include "control/controller.h"
#include "dashboard/local_server.h"
#include "embedded/admission.h"
#include "embedded/worker_store.h"
#include "http/server.h"
#include "http/tls_credentials.h"
#include "http/tokens.h"
#include "observe/pending_list.h"
#include "observe/scrape.h"
#include "store/inbox.h"
#include "store/system_time.h"
#include "store/tapped_store.h"
#include "webhook/admission_reviewer.h"

namespace berth::embedded {
namespace {

constexpr base::Duration kGrace = base::Duration::Seconds(5);

}  // namespace

// In dependency order: later members use earlier ones.
struct Cluster::Parts {
  Options options;
  store::Inbox inbox;  // executor of the controllers' thread
  std::unique_ptr<apiserver::ApiHandler> handler;
  std::unique_ptr<webhook::AdmissionReviewer> reviewer;
  std::unique_ptr<Admission> admission;
  std::unique_ptr<apiserver::EmbeddedStore> store;
  std::unique_ptr<WorkerStore> worker_store;  // for components on the controllers' thread
  std::unique_ptr<store::TappedStore> controllers_store;
  std::unique_ptr<apiserver::Collector> collector;
  std::unique_ptr<observe::Metrics> metrics;
  std::unique_ptr<journal::Recorder> recorder;
  std::unique_ptr<control::Controller> controller;
  std::unique_ptr<embedded::SimulatedNode> nodes;
  std::thread thread;
  std::unique_ptr<apiserver::RestRouter> router;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<dashboard::LocalServer> dashboard_server;

  base::Result<void> StartService() {
    auto opened = apiserver::ApiHandler::Open(
        {.storage = {.data_dir = options.data_dir}, .now = [this] { return inbox.Now(); }});
    if (!opened) return std::unexpected(opened.error());
    handler = std::move(*opened);
    reviewer = std::make_unique<webhook::AdmissionReviewer>(options.configuration, options.gates,
                                                            *options.integrations);
    admission = std::make_unique<Admission>(*handler, *reviewer);
    handler->AddHook(*admission);
    store = std::make_unique<apiserver::EmbeddedStore>(*handler);
    return {};
  }

  // Without it, decisions are the same.
  void StartJournal() {
    if (!options.journal) return;
    auto started = journal::Recorder::Start(
        *options.journal, {.configuration = options.configuration,
                           .gates = options.gates,
                           .version = options.build.version,
                           .now = inbox.Now(),
                           .log = [this](std::string_view line) {
                             inbox.Post([this, line = std::string(line)] { options.log(line); });
                           }});
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
        .instance = "berth",
        .log = options.log,
        .observe = [this](const control::ControllerEvent& event,
                          const workload::ClusterState& cluster) {
          metrics->Observe(event, cluster);
        }};
    if (recorder) recorder->Attach(settings);
    return settings;
  }

  void StartControllers() {
    worker_store = std::make_unique<WorkerStore>(*store);
    controllers_store = std::make_unique<store::TappedStore>(*worker_store, options.taps);
    collector = std::make_unique<apiserver::Collector>(*handler);
    std::promise<void> made;
    thread = std::thread([this, &made] {
      controller =
          std::make_unique<control::Controller>(*controllers_store, inbox, ControllerSettings());
      if (options.nodes)
        nodes = std::make_unique<embedded::SimulatedNode>(*worker_store, inbox,
                                                          *options.integrations, *options.nodes);
      made.set_value();
      inbox.Run();
      nodes.reset();
      controller.reset();
    });
    made.get_future().wait();
  }

  base::Result<void> StartServer() {
    const bool is_kept = !options.data_dir.empty();
    const std::vector<std::string> names = {options.address};
    auto credentials =
        is_kept ? http::LoadTlsCredentials(options.data_dir / "tls", names, store::SystemTime())
                : http::MakeTlsCredentials(names, store::SystemTime());
    if (!credentials) return std::unexpected(credentials.error());
    http::TokenTable tokens;
    if (is_kept) {
      auto loaded = http::LoadTokens(options.data_dir / "tokens.csv");
      if (!loaded) return std::unexpected(loaded.error());
      tokens = std::move(*loaded);
    }
    router = std::make_unique<apiserver::RestRouter>(
        *handler, apiserver::RestRouterOptions{
                      .address = options.address,
                      .tokens = tokens,
                      .intercept = [this](const http::Request& request,
                                          const std::shared_ptr<http::Exchange>& exchange) {
                        return ServesMetrics(request, exchange) || ServesPending(request, exchange);
                      }});
    auto started = http::Server::Start({.address = options.address,
                                        .port = options.port,
                                        .credentials = *credentials,
                                        .tokens = std::move(tokens)},
                                       *router);
    if (!started) return std::unexpected(started.error());
    server = std::move(*started);
    if (!options.kubeconfig.empty() && options.may_have_other_contexts)
      return apiserver::MergeKubeconfig(options.kubeconfig, url(), *credentials);
    if (options.kubeconfig.empty() && is_kept) options.kubeconfig = options.data_dir / "kubeconfig";
    if (options.kubeconfig.empty()) return {};
    return apiserver::WriteKubeconfig(options.kubeconfig, url(), *credentials);
  }

  // The controllers must run.
  base::Result<void> StartDashboard() {
    if (!options.dashboard_port) return {};
    http::TokenTable tokens;
    if (!options.data_dir.empty()) {
      auto loaded = http::LoadTokens(options.data_dir / "tokens.csv");
      if (!loaded) return std::unexpected(loaded.error());
      tokens = std::move(*loaded);
    }
    auto started = dashboard::LocalServer::Start(
        {.controllers = inbox,
         .cluster = [this]() -> workload::ClusterState& { return controller->cluster(); },
         .revision = [this] { return controller->revision(); },
         .store = *store},
        {.port = *options.dashboard_port,
         .may_use_other_port = options.may_use_other_dashboard_port,
         .tokens = std::move(tokens),
         .version = options.build.version,
         .what_if = {.configuration = options.configuration, .gates = options.gates},
         .journal = recorder ? options.journal->directory : std::filesystem::path()});
    if (!started) return std::unexpected(started.error());
    dashboard_server = std::move(*started);
    return {};
  }

  void StartMetrics() {
    metrics = std::make_unique<observe::Metrics>(
        observe::MetricOptions::From(options.configuration, options.gates),
        observe::Role::kStandalone, options.build);
  }

  void Scrape(store::Executor& executor, std::move_only_function<void(std::string)> then) {
    observe::Scrape(
        *metrics, inbox,
        [this]() -> const workload::ClusterState& { return controller->cluster(); }, executor,
        std::move(then));
  }

  bool ServesMetrics(const http::Request& request,
                     const std::shared_ptr<http::Exchange>& exchange) {
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    if (request.target.substr(0, request.target.find('?')) != "/metrics" || !is_read) return false;
    Scrape(exchange->executor(), [exchange](std::string text) {
      exchange->Respond({.content_type = std::string(observe::kTextFormat),
                         .headers = {},
                         .body = http::Share(std::move(text))});
    });
    return true;
  }

  bool ServesPending(const http::Request& request,
                     const std::shared_ptr<http::Exchange>& exchange) {
    const auto query = observe::ParsePendingQuery(request.target);
    if (!query || request.method != "GET" || !options.gates.IsOn(api::Gate::kVisibilityOnDemand))
      return false;
    inbox.Post([this, query = *query, exchange] {
      std::optional<std::string> summary = observe::PendingSummary(query, controller->cluster());
      exchange->executor().Post([query, exchange, summary = std::move(summary)]() mutable {
        exchange->Respond(
            summary ? http::Response{.headers = {}, .body = http::Share(std::move(*summary))}
                    : http::StatusResponse(404, store::reason::kNotFound,
                                           "queue " + query.name + " not found"));
      });
    });
    return true;
  }

  std::string url() const {
    return "https://" + options.address + ":" + std::to_string(server ? server->port() : 0);
  }

  ~Parts() {
    dashboard_server.reset();
    if (server) server->Stop(kGrace);
    server.reset();
    if (thread.joinable()) {
      inbox.Stop();
      thread.join();
    }
    collector.reset();
  }
};

Cluster::Cluster(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Cluster::~Cluster() = default;

base::Result<std::unique_ptr<Cluster>> Cluster::Start(Options options) {
  auto parts = std::make_unique<Parts>();
  parts->options = std::move(options);
  if (auto checked = control::CheckConfiguration(parts->options.configuration, parts->options.gates,
                                                 parts->options.log);
      !checked)
    return std::unexpected(checked.error());
  parts->StartMetrics();
  if (auto opened = parts->StartService(); !opened) return std::unexpected(opened.error());
  parts->StartJournal();
  if (parts->options.serves_https)
    if (auto started = parts->StartServer(); !started) return std::unexpected(started.error());
  parts->StartControllers();
  if (auto started = parts->StartDashboard(); !started) return std::unexpected(started.error());
  return std::unique_ptr<Cluster>(new Cluster(std::move(parts)));
}

std::string Cluster::url() const { return parts_->url(); }
std::string Cluster::dashboard_url() const {
  return parts_->dashboard_server ? parts_->dashboard_server->url() : "";
}
const std::filesystem::path& Cluster::kubeconfig() const { return parts_->options.kubeconfig; }
store::Store& Cluster::store() { return *parts_->store; }
void Cluster::Advance(base::Duration duration) { parts_->inbox.Advance(duration); }
base::Time Cluster::Now() const { return parts_->inbox.Now(); }

std::string Cluster::MetricsText() {
  std::promise<std::string> text;
  parts_->Scrape(parts_->inbox, [&](std::string made) { text.set_value(std::move(made)); });
  return text.get_future().get();
}

bool Cluster::IsQuiet() {
  std::promise<bool> answer;
  parts_->inbox.Post([&] { answer.set_value(parts_->controller->is_idle()); });
  return answer.get_future().get();
}

}  // namespace berth::embedded
