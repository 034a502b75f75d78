#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "api/batch/job.h"
#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/workload.h"
#include "api/meta/registry.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/demo.h"
#include "cli/journal/journal_input.h"
#include "cli/number_check.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "cli/up/stop_signal.h"
#include "cli/up/up_nodes.h"
#include "cli/up/up_view.h"
#include "embedded/cluster.h"
#include "objects/stored_object.h"
#include "store/wait_for.h"

namespace berth::cli {
namespace {

constexpr const char* kUpFooter = R"(Examples:
  berth up                          store objects in ~/.local/share/berth
  berth up --in-memory -f queues/   start with the objects of a directory
  berth up --demo                   two teams, seven jobs, and a live table of their states
  berth up --demo --once            the same; exit when all jobs have ended
  berth up --nodes nodes.yaml       simulate these nodes, for topologies and failures

Nodes are simulated: no containers run. The annotation berth.dev/run-time: 30s sets the
run time of a job or pod, and berth.dev/fails: "true" makes it fail. Without --config,
jobs of every kind can be queued, including Pods, Deployments and StatefulSets.

--nodes takes Node manifests, or a description of many equal nodes:

  nodes:
  - levels:
    - {nodeLabel: cloud.example/rack, count: 4}
    - {nodeLabel: kubernetes.io/hostname, count: 8}
    allocatable: {cpu: 16, memory: 64Gi}

Jobs then have pods, which run where their node selector, affinity and tolerations allow
and where there is room. kubectl can cordon, taint and delete nodes, or make one fail:

  kubectl patch node node-0-0 --subresource=status -p \
    '{"status": {"conditions": [{"type": "Ready", "status": "False"}]}}')";

constexpr uint16_t kDashboardPort = 8090;

struct UpArguments {
  std::vector<std::string> paths;
  std::string config;
  std::string feature_gates;
  std::string data_dir;
  std::string kubeconfig;
  std::string address = "127.0.0.1";
  std::string integrations;
  std::string nodes;
  JournalArguments journal;
  std::string run_time = "10s";
  double failure_rate = 0;
  uint16_t port = 6443;
  std::optional<uint16_t> dashboard_port;
  bool has_no_dashboard = false;
  bool is_in_memory = false;
  bool has_no_nodes = false;
  bool is_demo = false;
  bool is_once = false;
};

// A blocking client of the cluster in this process.
class Client {
 public:
  explicit Client(embedded::Cluster& cluster) : cluster_(cluster) {}

  store::Outcome<store::Reply> Do(store::Call call) {
    return store::WaitFor(cluster_.store(), std::move(call), base::Duration::Seconds(30));
  }

  std::vector<json::value> List(const store::Resource& resource) {
    std::vector<json::value> objects;
    const auto list = Do(store::List{.resource = resource, .selection = {}});
    if (list)
      for (const store::Object& object : list->items)
        if (auto tree = json::Parse(object.text())) objects.push_back(std::move(*tree));
    return objects;
  }

  ClusterPicture Picture() {
    return {.cluster_queues = List(store::ResourceOf<api::ClusterQueue>()),
            .jobs = List(store::ResourceOf<api::Job>()),
            .workloads = List(store::ResourceOf<api::Workload>())};
  }

 private:
  embedded::Cluster& cluster_;
};

// The name as its author would write it.
std::string NameOf(const api::ObjectMeta& metadata) {
  return metadata.name.empty() ? metadata.generate_name + "…" : metadata.name;
}

// Namespaces first, then cluster-scoped objects; files of a directory are sorted by name.
int LoadRank(const api::Manifest& manifest) {
  if (manifest.known == &api::Namespace::KindInfo()) return 0;
  return manifest.known != nullptr && !manifest.known->is_namespaced ? 1 : 2;
}

// Applies the objects like `kubectl apply`, until stopped.
bool LoadObjects(Client& client, std::vector<api::Manifest> manifests, Output& err) {
  std::ranges::stable_sort(manifests, {}, LoadRank);
  for (const api::Manifest& manifest : manifests) {
    if (IsStopAsked()) break;
    if (manifest.known == nullptr)
      err << "berth: " << Printable(manifest.kind) << " " << Printable(NameOf(manifest.metadata()))
          << " of " << Printable(manifest.api_version)
          << " skipped: apply it with kubectl after its CustomResourceDefinition\n";
    if (!manifest.object || manifest.object->metadata() == nullptr) continue;
    const api::ObjectMeta& metadata = *manifest.object->metadata();
    const store::Resource resource = store::ResourceOf(manifest.object->kind());
    const std::string space(
        resource.is_namespaced ? objects::NamespaceOrDefault(metadata.namespace_) : "");
    const auto outcome = metadata.name.empty()
                             ? client.Do(store::Create{.resource = resource,
                                                       .namespace_ = space,
                                                       .object = manifest.object->Encode(),
                                                       .options = {}})
                             : client.Do(store::Patch{.resource = resource,
                                                      .namespace_ = space,
                                                      .name = metadata.name,
                                                      .subresource = "",
                                                      .type = store::PatchType::kApply,
                                                      .body = manifest.object->Encode(),
                                                      .is_forced = true,
                                                      .options = {.field_manager = "berth-up"}});
    if (outcome) continue;
    err << "berth: " << resource.kind << " " << Printable(NameOf(metadata)) << ": "
        << Printable(store::ToString(outcome.error())) << "\n";
    return false;
  }
  return true;
}

bool DescribesNodes(const DemoFile& file) { return file.name.ends_with("/nodes.yaml"); }

void AddDemoObjects(std::vector<api::Manifest>& manifests) {
  for (const DemoFile& file : DemoFiles()) {
    if (DescribesNodes(file)) continue;
    std::ranges::move(
        api::ReadManifests(file.text, {.file = std::string(file.name), .is_strict = true}),
        std::back_inserter(manifests));
  }
}

// Whether nodes are simulated one by one.
bool HasNodes(const UpArguments& arguments) {
  return !arguments.has_no_nodes && (!arguments.nodes.empty() || arguments.is_demo);
}

// Those of the demonstration, unless others are given.
std::optional<std::vector<api::Node>> NodesFor(const UpArguments& arguments, Output& err) {
  if (!arguments.nodes.empty()) return ReadNodes(arguments.nodes, err);
  const auto file = std::ranges::find_if(DemoFiles(), DescribesNodes);
  return ReadNodes(std::string(file->text), std::string(file->name), err);
}

// Without a Configuration, every job kind can be queued.
void ListEveryKind(const api::FeatureGates& gates, api::Configuration& configuration) {
  if (!configuration.integrations) configuration.integrations.emplace();
  auto& frameworks = configuration.integrations->frameworks.emplace();
  const bool has_spark = gates.IsOn(api::Gate::kSparkApplicationIntegration);
  for (const jobs::Integration& integration : jobs::IntegrationSet::BuiltIn().all())
    if (has_spark || integration.derives != jobs::kDerivesSpark)
      frameworks.push_back(integration.framework);
}

std::optional<embedded::Cluster::Options> OptionsFrom(const UpArguments& arguments,
                                                      const Settings& settings,
                                                      jobs::IntegrationSet& integrations,
                                                      Output& err) {
  embedded::Cluster::Options options;
  if (!arguments.is_in_memory)
    options.data_dir = arguments.data_dir.empty() ? DefaultDataDir() : arguments.data_dir;
  JournalArguments journal = arguments.journal;
  if (!arguments.is_in_memory) journal.directory = options.data_dir / "journal";
  const auto read = ReadJournalArguments(journal, err);
  if (!read) return std::nullopt;
  options.journal = *read;
  options.kubeconfig = arguments.kubeconfig;
  options.may_have_other_contexts = !arguments.kubeconfig.empty();
  if (options.kubeconfig.empty() && arguments.is_in_memory)
    options.kubeconfig = std::filesystem::temp_directory_path() /
                         ("berth-" + std::to_string(::getpid()) + ".kubeconfig");
  options.address = arguments.address;
  options.port = arguments.port;
  if (!arguments.has_no_dashboard)
    options.dashboard_port = arguments.dashboard_port.value_or(kDashboardPort);
  options.may_use_other_dashboard_port = !arguments.dashboard_port;
  options.configuration = settings.configuration;
  if (!settings.is_given) ListEveryKind(settings.gates, options.configuration);
  options.gates = settings.gates;
  options.build = ThisBuild();
  options.integrations = &integrations;
  const auto run_time = base::ParseDuration(arguments.run_time);
  if (!run_time || run_time->nanos < 0) {
    err << "berth: --run-time " << Printable(arguments.run_time)
        << " is not a duration\n  write it like 30s or 1m30s\n";
    return std::nullopt;
  }
  options.nodes.reset();
  if (arguments.has_no_nodes) return options;
  options.nodes =
      embedded::SimulationSettings{.run_time = *run_time, .failure_rate = arguments.failure_rate};
  if (!HasNodes(arguments)) return options;
  auto nodes = NodesFor(arguments, err);
  if (!nodes) return std::nullopt;
  options.nodes->nodes = std::make_shared<const std::vector<api::Node>>(*std::move(nodes));
  return options;
}

std::string_view NodesText(const UpArguments& arguments) {
  if (arguments.has_no_nodes)
    return "Nodes are off: job status is set by the user; no containers run.\n";
  if (HasNodes(arguments))
    return "Nodes are simulated: pods are scheduled and run without containers.\n";
  return "Nodes are simulated: jobs start and finish without running containers.\n";
}

std::string DashboardLine(const std::string& url) {
  return "\n  Dashboard  " + url +
         "\n             Open it in a browser. Click a workload for the reason why it waits, "
         "Queues for\n"
         "             who borrows from whom, What-if to try another quota.\n";
}

void Welcome(const embedded::Cluster& cluster, const UpArguments& arguments, Output& out) {
  out << "Berth is up at " << cluster.url() << "\n" << NodesText(arguments);
  if (const std::string url = cluster.dashboard_url(); !url.empty()) out << DashboardLine(url);
  out << "\n  export KUBECONFIG=" << cluster.kubeconfig().string() << "\n"
      << "  kubectl get clusterqueues\n"
      << "  kubectl create job hello --image=busybox\n\n"
      << "Press Ctrl-C to stop.\n";
  out.Flush();
}

// Shows the state until stopped: in place on a terminal, otherwise on every change.
void Show(Client& client, const UpArguments& arguments, const std::string& dashboard_url,
          Output& out) {
  const bool is_terminal = out.IsTerminal();
  std::string last;
  while (!IsStopAsked()) {
    const ClusterPicture picture = client.Picture();
    const std::string text = DrawCluster(picture, is_terminal);
    if (text != last) {
      if (is_terminal && !last.empty()) out << "\x1b[H\x1b[2J";
      out << "\n" << text;
      // The line of the welcome is gone.
      if (is_terminal && !dashboard_url.empty()) out << DashboardLine(dashboard_url);
      out.Flush();
      last = text;
    }
    if (arguments.is_once && !picture.jobs.empty() && CountFinished(picture) == picture.jobs.size())
      return;
    for (int i = 0; i < 5 && !IsStopAsked(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

int Up(const UpArguments& arguments, Output& out, Output& err) {
  std::optional<std::vector<api::Manifest>> manifests = ReadManifests(arguments.paths, err);
  if (!manifests) return kExitTrouble;
  if (arguments.is_demo) AddDemoObjects(*manifests);
  const auto settings = ReadSettings(arguments.config, *manifests, err, arguments.feature_gates);
  if (!settings) return kExitTrouble;
  jobs::IntegrationSet integrations = jobs::IntegrationSet::WithBuiltIn();
  if (!arguments.integrations.empty()) {
    const schema::Problems problems = integrations.AddDirectory(arguments.integrations);
    for (const schema::Problem& problem : problems)
      err << "berth: " << Printable(schema::ToString(problem)) << "\n";
    if (!problems.empty()) return kExitTrouble;
  }
  auto options = OptionsFrom(arguments, *settings, integrations, err);
  if (!options) return kExitTrouble;
  options->log = [&err](std::string_view line) {
    err << "berth: " << Printable(line) << "\n";
    err.Flush();
  };
  if (options->nodes) options->nodes->log = options->log;
  CatchStopSignals();
  auto cluster = embedded::Cluster::Start(std::move(*options));
  if (!cluster) {
    err << "berth: " << Printable(base::ToString(cluster.error())) << "\n";
    return kExitTrouble;
  }
  Welcome(**cluster, arguments, out);
  Client client(**cluster);
  if (!LoadObjects(client, *std::move(manifests), err)) return kExitFound;
  if (arguments.is_demo || arguments.is_once) {
    Show(client, arguments, (*cluster)->dashboard_url(), out);
  } else {
    while (!IsStopAsked()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  out << "\nBerth stopped.\n";
  return kExitOk;
}

}  // namespace

void AddUp(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<UpArguments>();
  CLI::App* command = berth.add_subcommand(
      "up", "Run a local cluster: API server for kubectl, controllers and simulated nodes");
  command->add_option("-f,--filename", arguments->paths, "Objects to create at start")
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  command
      ->add_option("--config", arguments->config, "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command
      ->add_option("--feature-gates", arguments->feature_gates,
                   "Feature gates to set, as NAME=true,...")
      ->option_text("A=true,B=false");
  command->add_option("--data-dir", arguments->data_dir, "Directory of the database")
      ->option_text("DIR");
  AddJournalBounds(*command, arguments->journal);
  command->add_flag("--in-memory", arguments->is_in_memory, "Keep objects in memory only");
  command
      ->add_option("--kubeconfig", arguments->kubeconfig,
                   "Kubeconfig to write; other contexts in it stay")
      ->option_text("FILE");
  command->add_option("--address", arguments->address, "Address to listen on (default: 127.0.0.1)")
      ->option_text("IP");
  command
      ->add_option("--port", arguments->port, "Port to listen on (default: 6443; 0: any free port)")
      ->option_text("PORT");
  CLI::Option* no_dashboard = command->add_flag("--no-dashboard", arguments->has_no_dashboard,
                                                "Do not serve the dashboard");
  command
      ->add_option("--dashboard-port", arguments->dashboard_port,
                   "Port of the dashboard (default: 8090, or any free port; 0: any free port)")
      ->excludes(no_dashboard)
      ->option_text("PORT");
  command
      ->add_option("--integrations", arguments->integrations,
                   "Directory with descriptions of additional job kinds")
      ->option_text("DIR");
  CLI::Option* no_nodes = command->add_flag("--no-simulated-nodes", arguments->has_no_nodes,
                                            "Do not simulate nodes: job status is set by the user");
  command
      ->add_option("--nodes", arguments->nodes,
                   "Simulate these nodes: Node manifests or a description (see below)")
      ->excludes(no_nodes)
      ->option_text("FILE");
  command->add_option("--run-time", arguments->run_time, "Default run time of jobs")
      ->option_text("10s");
  command
      ->add_option("--failure-rate", arguments->failure_rate, "Fraction of jobs that fail, 0 to 1")
      ->check(NumberBetween(0, 1))
      ->option_text("0");
  command->add_flag("--demo", arguments->is_demo, "Start with demo objects and show them");
  command->add_flag("--once", arguments->is_once, "Exit when all jobs have ended");
  command->footer(kUpFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return Up(*arguments, out, err); };
  });
}

}  // namespace berth::cli
