#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/ctl/ctl_command.h"
#include "cli/explain_command.h"
#include "cli/plan_command.h"
#include "cli/printable.h"
#include "cli/progress.h"
#include "cli/simulate_input.h"
#include "ctl/kinds.h"
#include "simulate/estimate.h"

namespace berth::cli {
namespace {

constexpr double kRunTimeSpread = 0.25;

// A Workload or the job that owns it: NAME, TYPE/NAME or NAMESPACE/NAME, with its namespace.
std::string QualifiedName(const std::string& text, const std::string& namespace_name) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return namespace_name + "/" + text;
  if (ctl::FindKnownKind(text.substr(0, slash)) == nullptr) return text;
  return namespace_name + "/" + text.substr(slash + 1);
}

void AddWorkloadArgument(CLI::App& app, std::string& name) {
  app.add_option("WORKLOAD", name, "Workload or job: NAME, TYPE/NAME or NAMESPACE/NAME")
      ->required()
      ->option_text(" ");
}

void AddTextOrJson(CLI::App& app, std::string& output) {
  output = "human";
  app.add_option("-o,--output", output, "Output format (default: human)")
      ->check(CLI::IsMember({"human", "json"}))
      ->option_text("human|json");
}

// Kueue's tools exit with 1 on any failure.
int AsCtlCode(int code) { return code == kExitOk ? kExitOk : kExitFound; }

// --- explain ---

CtlAction DeclareExplain(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  AddWorkloadArgument(app, arguments->name);
  AddTextOrJson(app, arguments->output);
  return [arguments](CtlSession& session) {
    const auto cluster = session.Connect();
    if (!cluster) return session.Fail(cluster.error());
    arguments->live.store = &(*cluster)->store();
    arguments->name = QualifiedName(arguments->name, session.namespace_name());
    return AsCtlCode(ExplainWorkload(*arguments, session.out(), session.err()));
  };
}

// --- eta ---

struct EtaArguments {
  std::string name;
  std::string run_time = "1h";
  std::string output;
  uint64_t seed = 1;
  size_t worlds = 200;
};

int PrintEstimate(const EtaArguments& arguments, const simulate::WorldOptions& options,
                  const simulate::Input& input, CtlSession& session) {
  const auto job =
      simulate::FindJob(input, QualifiedName(arguments.name, session.namespace_name()));
  if (!job) return session.Fail(job.error());
  Progress progress(session.err(), "worlds", arguments.worlds);
  const InterruptWatch interrupt;
  uint64_t done = 0;
  const simulate::StartEstimate estimate =
      simulate::EstimateStart(input, options, *job, arguments.worlds, [&] {
        progress.Show(done++);
        return !interrupt.is_interrupted();
      });
  const std::string name = simulate::NameOf(input, *job);
  session.out() << (arguments.output == "json" ? simulate::ToJson(estimate, name)
                                               : simulate::ToText(estimate, name));
  return kExitOk;
}

int Estimate(const EtaArguments& arguments, CtlSession& session) {
  simulate::WorldOptions options;
  options.seed = arguments.seed;
  options.run_time_spread = kRunTimeSpread;
  const auto run_time = simulate::Distribution::Parse(arguments.run_time);
  if (!run_time)
    return session.Fail({.message = "--run-time: " + run_time.error().message,
                         .hint = run_time.error().hint,
                         .place = {}});
  options.run_time = *run_time;
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  SimulationFiles files;
  files.live.store = &(*cluster)->store();
  const std::optional<SimulationInput> read = ReadSimulation(files, session.err());
  if (!read) return kExitFound;
  if (read->unknown_run_times > 0)
    session.err() << "run time unknown for " << std::to_string(read->unknown_run_times)
                  << " jobs: " << Printable(arguments.run_time) << " assumed (--run-time)\n";
  return PrintEstimate(arguments, options, read->input, session);
}

CtlAction DeclareEta(CLI::App& app) {
  auto arguments = std::make_shared<EtaArguments>();
  AddWorkloadArgument(app, arguments->name);
  app.add_option("--run-time", arguments->run_time,
                 "Run time of jobs without the annotation berth.dev/run-time (default: 1h)")
      ->option_text("DISTRIBUTION");
  app.add_option("--worlds", arguments->worlds, "Simulated worlds (default: 200)")
      ->option_text("N");
  app.add_option("--seed", arguments->seed, "Seed of the first world (default: 1)")
      ->option_text("N");
  AddTextOrJson(app, arguments->output);
  return [arguments](CtlSession& session) { return Estimate(*arguments, session); };
}

// --- plan ---

CtlAction DeclarePlan(CLI::App& app) {
  auto arguments = std::make_shared<PlanArguments>();
  app.add_option("-f,--filename", arguments->changes, "Objects to apply: a file or a directory")
      ->required()
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  app.add_flag("--fail-on-eviction", arguments->fails_on_eviction,
               "Exit with 1 if a workload is evicted");
  app.add_flag("--fail-on-never", arguments->fails_on_never,
               "Exit with 1 if a workload can never be admitted after the change");
  AddTextOrJson(app, arguments->output);
  return [arguments](CtlSession& session) {
    const auto cluster = session.Connect();
    if (!cluster) return session.Fail(cluster.error());
    arguments->files.live.store = &(*cluster)->store();
    return AsCtlCode(PlanChange(*arguments, session.out(), session.err()));
  };
}

}  // namespace

std::vector<CtlCommand> LiveCommands() {
  return {{"explain",
           "",
           {},
           "Explain why a workload waits and what would admit it",
           "  kubectl kueue explain job/train -n team-a\n"
           "  kubectl kueue explain team-a/job-train-2f6c1 -o json",
           &DeclareExplain},
          {"eta",
           "",
           {},
           "Estimate when a workload will start",
           "  kubectl kueue eta job/train -n team-a\n"
           "  kubectl kueue eta job/train --run-time 'lognormal(1h, 6h)'",
           &DeclareEta},
          {"plan",
           "",
           {},
           "Show what a change of queues would admit, evict and block",
           "  kubectl kueue plan -f new-quota.yaml\n"
           "  kubectl kueue plan -f queues/ --fail-on-eviction",
           &DeclarePlan}};
}

}  // namespace berth::cli
