#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/controller_log.h"
#include "cli/journal/journal_input.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "cli/up/stop_signal.h"
#include "kube/find_access.h"
#include "replica/replica.h"

namespace berth::cli {
namespace {

constexpr const char* kControllerFooter = R"(Examples:
  berth controller                        in a pod, as its service account
  berth controller --kubeconfig ~/.kube/config --config berth.yaml

Any number of replicas may run, together with those of Kueue: one lease decides which acts.
SIGTERM hands over and ends.)";

struct ControllerArguments {
  std::string config;
  std::string feature_gates;
  std::string kubeconfig;
  std::string context;
  std::string integrations;
  JournalArguments journal;
  std::string log_level = "info";
  std::string log_encoder = "console";
  std::string dashboard_address = "0";
  std::string dashboard_certificates;
  std::string ignored;
  bool is_ignored = false;
};

bool AddControllerIntegrations(const std::string& directory, jobs::IntegrationSet& integrations,
                               Output& err) {
  if (directory.empty()) return true;
  const schema::Problems problems = integrations.AddDirectory(directory);
  for (const schema::Problem& problem : problems)
    err << "berth: " << Printable(schema::ToString(problem)) << "\n";
  return problems.empty();
}

int FailController(const base::Error& error, Output& err) {
  err << "berth: " << Printable(base::ToString(error)) << "\n";
  return kExitTrouble;
}

int RunController(const ControllerArguments& arguments, Output& err) {
  const auto settings = ReadSettings(arguments.config, {}, err, arguments.feature_gates);
  if (!settings) return kExitTrouble;
  jobs::IntegrationSet integrations = jobs::IntegrationSet::WithBuiltIn();
  if (!AddControllerIntegrations(arguments.integrations, integrations, err)) return kExitTrouble;
  const auto journal = ReadJournalArguments(arguments.journal, err);
  if (!journal) return kExitTrouble;
  auto access = kube::FindAccess(arguments.kubeconfig, arguments.context);
  if (!access) return FailController(access.error(), err);
  CatchStopSignals();
  std::signal(SIGPIPE, SIG_IGN);
  ControllerLog log(err, {.level = *ParseLogLevel(arguments.log_level),
                          .is_json = arguments.log_encoder == "json"});
  log.Add(LogLevel::kInfo, "Connecting to " + access->server);
  auto replica = replica::Replica::Start(
      {.access = std::move(*access),
       .configuration = settings->configuration,
       .gates = settings->gates,
       .integrations = &integrations,
       .build = ThisBuild(),
       .log = [&log](std::string_view line) { log.Add(LogLevel::kError, line); },
       .note = [&log](std::string_view line) { log.Add(LogLevel::kInfo, line); },
       .journal = *journal,
       .dashboard_address = arguments.dashboard_address,
       .dashboard_certificates = arguments.dashboard_certificates});
  if (!replica) return FailController(replica.error(), err);
  while (!IsStopAsked() && !(*replica)->HasLost())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return (*replica)->HasLost() ? kExitFound : kExitOk;
}

std::string CheckLogLevel(const std::string& level) {
  return ParseLogLevel(level) ? "" : "give debug, info, error, panic or a number";
}

}  // namespace

void AddController(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<ControllerArguments>();
  CLI::App* command =
      berth.add_subcommand("controller", "Run the controllers on a Kubernetes cluster");
  command
      ->add_option("--config", arguments->config, "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command
      ->add_option("--feature-gates", arguments->feature_gates,
                   "Feature gates to set, as NAME=true,...")
      ->option_text("A=true,B=false");
  command
      ->add_option("--kubeconfig", arguments->kubeconfig,
                   "Kubeconfig file (default: $KUBECONFIG, or the service account of the pod)")
      ->option_text("FILE");
  command
      ->add_option("--context", arguments->context,
                   "Context of the kubeconfig (default: current context)")
      ->option_text("NAME");
  command
      ->add_option("--integrations", arguments->integrations,
                   "Directory with descriptions of additional job kinds")
      ->option_text("DIR");
  command
      ->add_option("--dashboard-bind-address", arguments->dashboard_address,
                   "Address of the dashboard, such as :8444 (default: 0, not served)")
      ->option_text("ADDRESS");
  command
      ->add_option("--dashboard-cert-dir", arguments->dashboard_certificates,
                   "Directory with tls.crt and tls.key of the dashboard (default: self-signed)")
      ->option_text("DIR");
  command
      ->add_option("--journal-dir", arguments->journal.directory,
                   "Keep a journal of decisions in this directory (default: none)")
      ->option_text("DIR");
  AddJournalBounds(*command, arguments->journal);
  command->add_option("--zap-log-level", arguments->log_level, "Log level (default: info)")
      ->check(CheckLogLevel)
      ->option_text("debug|info|error|panic|N");
  command->add_option("--zap-encoder", arguments->log_encoder, "Log encoding (default: console)")
      ->check(CLI::IsMember({"console", "json"}))
      ->option_text("console|json");
  // Accepted for compatibility with Kueue's manager; without effect.
  for (const char* name : {"--zap-stacktrace-level", "--zap-time-encoding"})
    command->add_option(name, arguments->ignored)->group("");
  command->add_flag("--zap-devel,!--no-zap-devel", arguments->is_ignored)->group("");
  command->footer(kControllerFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output&, Output& err) { return RunController(*arguments, err); };
  });
}

}  // namespace berth::cli
