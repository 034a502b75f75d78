#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>

#include "base/time.h"
#include "cli/command.h"
#include "cli/printable.h"
#include "cli/settings.h"
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
  std::string log_level = "info";
  std::string ignored;
  bool is_ignored = false;
};

std::atomic<bool> g_is_controller_stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set by a signal handler

void StopController(int) { g_is_controller_stopped = true; }

// Lines with their time, from any thread.
class ControllerLog {
 public:
  explicit ControllerLog(Output& err) : err_(err) {}

  void Add(std::string_view line) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const base::Time time{std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
    const std::lock_guard lock(mutex_);
    err_ << base::FormatMicroTime(time) << " " << Printable(line) << "\n";
    err_.Flush();
  }

 private:
  std::mutex mutex_;
  Output& err_;
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
  auto access = kube::FindAccess(arguments.kubeconfig, arguments.context);
  if (!access) return FailController(access.error(), err);
  std::signal(SIGINT, StopController);
  std::signal(SIGTERM, StopController);
  std::signal(SIGPIPE, SIG_IGN);
  ControllerLog log(err);
  const bool says_all = arguments.log_level != "error" && arguments.log_level != "panic";
  const bool says_failures = arguments.log_level != "panic";
  log.Add("Connecting to " + access->server);
  auto replica = replica::Replica::Start({.access = std::move(*access),
                                          .configuration = settings->configuration,
                                          .gates = settings->gates,
                                          .integrations = &integrations,
                                          .log =
                                              [&log, says_failures](std::string_view line) {
                                                if (says_failures) log.Add(line);
                                              },
                                          .note =
                                              [&log, says_all](std::string_view line) {
                                                if (says_all) log.Add(line);
                                              }});
  if (!replica) return FailController(replica.error(), err);
  while (!g_is_controller_stopped && !(*replica)->HasLost())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return (*replica)->HasLost() ? kExitFound : kExitOk;
}

std::string CheckLogLevel(const std::string& level) {
  const bool is_number =
      !level.empty() && level.find_first_not_of("0123456789") == std::string::npos;
  for (const char* word : {"debug", "info", "error", "panic"})
    if (level == word) return "";
  return is_number ? "" : "give debug, info, error, panic or a number";
}

}  // namespace

void AddController(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<ControllerArguments>();
  CLI::App* command =
      berth.add_subcommand("controller", "Run the controllers on a Kubernetes cluster");
  command->add_option("--config", arguments->config, "The Configuration; defaults unless given")
      ->option_text("FILE");
  command->add_option("--feature-gates", arguments->feature_gates, "Switches of features")
      ->option_text("A=true,B=false");
  command
      ->add_option("--kubeconfig", arguments->kubeconfig,
                   "Which cluster; $KUBECONFIG or the pod's own unless given")
      ->option_text("FILE");
  command
      ->add_option("--context", arguments->context,
                   "Of the kubeconfig; the current one unless given")
      ->option_text("NAME");
  command
      ->add_option("--integrations", arguments->integrations,
                   "A directory with descriptions of further kinds of jobs")
      ->option_text("DIR");
  command->add_option("--zap-log-level", arguments->log_level, "How much to log; info unless given")
      ->check(CheckLogLevel)
      ->option_text("debug|info|error|panic|N");
  // Kueue's manager takes these too; what they change does not exist here.
  for (const char* name : {"--zap-encoder", "--zap-stacktrace-level", "--zap-time-encoding"})
    command->add_option(name, arguments->ignored)->group("");
  command->add_flag("--zap-devel,!--no-zap-devel", arguments->is_ignored)->group("");
  command->footer(kControllerFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output&, Output& err) { return RunController(*arguments, err); };
  });
}

}  // namespace berth::cli
