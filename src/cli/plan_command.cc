#include "cli/plan_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/printable.h"
#include "simulate/plan.h"

namespace berth::cli {
namespace {

constexpr const char* kPlanFooter = R"(Examples:
  kubectl get clusterqueues,cohorts,localqueues,resourceflavors,workloads,namespaces -A -o yaml >live.yaml
  berth plan -f live.yaml --change new.yaml
  berth plan --live --change new.yaml
  berth plan -f live.yaml --change queues/ --fail-on-eviction

It prints what the change does at once: who is evicted and for whom, who is admitted, who
can never be admitted any more, which queues turn inactive. What would happen without the
change as well is left out. For what happens in time, see `berth simulate`. Flavors with a
topology need topologies, nodes and pods, too.

Exit code: 0, or 1 where --fail-on-eviction or --fail-on-never was given and it would happen.)";

}  // namespace

int PlanChange(const PlanArguments& arguments, Output& out, Output& err) {
  if (!HasObjects(arguments.files)) {
    err << "berth: cluster objects missing\n  give its objects with -f PATH, or "
           "--live\n";
    return kExitTrouble;
  }
  const std::optional<SimulationInput> read = ReadSimulation(arguments.files, err);
  if (!read) return kExitTrouble;
  const std::optional<SimulationChange> change = ReadChange(arguments.changes, err);
  if (!change) return kExitTrouble;
  WarnOfMissingNodes(read->input, {}, err);
  const simulate::Plan plan =
      simulate::MakePlan(read->input, change->objects, change->configuration);
  if (arguments.output == "json") {
    out << simulate::ToJson(plan, read->input);
  } else {
    out << simulate::ToText(plan, read->input);
  }
  const bool is_refused = (arguments.fails_on_eviction && !plan.evicted.empty()) ||
                          (arguments.fails_on_never && !plan.infeasible.empty());
  return is_refused ? kExitFound : kExitOk;
}

void AddPlan(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* command =
      berth.add_subcommand("plan", "Show what a change of queues would admit, evict and block");
  command
      ->add_option("-f,--filename", arguments->files.paths,
                   "Current cluster: a file, a directory with *.yaml, *.yml and *.json, or - "
                   "for standard input")
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  AddLiveOptions(*command, arguments->files.live);
  command->add_option("--change", arguments->changes, "Objects to apply: a file or a directory")
      ->required()
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  command
      ->add_option("--config", arguments->files.config,
                   "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command->add_option("--feature-gates", arguments->files.feature_gates, "Feature gates to set")
      ->option_text("NAME=BOOL,...");
  command->add_option("--at", arguments->files.at, "Time of the snapshot in the files")
      ->option_text("TIME");
  command->add_flag("--fail-on-eviction", arguments->fails_on_eviction,
                    "Exit with 1 if a workload is evicted");
  command->add_flag("--fail-on-never", arguments->fails_on_never,
                    "Exit with 1 if a workload can never be admitted after the change");
  AddOutputOption(*command, arguments->output, "human");
  command->footer(kPlanFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return PlanChange(*arguments, out, err); };
  });
}

}  // namespace berth::cli
