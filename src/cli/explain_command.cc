#include "cli/explain_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "api/meta/manifest.h"
#include "cli/command.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "explain/json.h"
#include "explain/load.h"
#include "explain/report.h"
#include "explain/text.h"
#include "store/system_time.h"

namespace berth::cli {
namespace {

constexpr const char* kExplainFooter = R"(Examples:
  berth explain -f cluster.yaml team-a/train
  kubectl get clusterqueues,cohorts,localqueues,resourceflavors,workloads,namespaces -A -o yaml |
    berth explain -f - team-a/train
  kubectl get clusterqueues,cohorts,localqueues,resourceflavors,workloads,namespaces,topologies,nodes,pods \
    -A -o yaml | berth explain -f - team-a/train
  berth explain --live team-a/train
  berth explain -f queues/ -f workloads.json --config configuration.yaml train -o json

NAME is the name of a Workload or of the job that owns it; its namespace may be
left out where the name is enough.)";

}  // namespace

int ExplainWorkload(const ExplainArguments& arguments, Output& out, Output& err) {
  if (arguments.paths.empty() && !arguments.live.IsRequested()) {
    err << "berth: cluster objects missing\n  give its objects with -f PATH, or --live\n";
    return kExitTrouble;
  }
  const std::optional<base::Time> at = base::ParseTime(arguments.at);
  if (!arguments.at.empty() && !at) {
    err << "berth: --at " << Printable(arguments.at)
        << " is not a time\n  write it like 2026-01-02T15:04:05Z\n";
    return kExitTrouble;
  }
  const std::optional<std::vector<api::Manifest>> manifests =
      ReadObjects(arguments.paths, arguments.live, err);
  if (!manifests) return kExitTrouble;
  const std::optional<Settings> settings = ReadSettings(arguments.config, *manifests, err);
  if (!settings) return kExitTrouble;
  const std::unique_ptr<workload::ClusterState> cluster = explain::Load(
      settings->configuration, settings->gates, *manifests, at ? *at : store::SystemTime());
  const base::Result<const api::Workload*> workload =
      explain::FindWorkload(*cluster, arguments.name);
  if (!workload) {
    err << "berth: " << Printable(workload.error().message) << "\n  "
        << Printable(workload.error().hint) << "\n";
    return kExitTrouble;
  }
  const explain::Report report =
      explain::MakeReport(*cluster, **workload, explain::LacksNodes(settings->gates, *manifests));
  if (arguments.output == "json") {
    out << explain::ToJson(report);
  } else {
    out << PrintableLines(explain::ToText(report));
  }
  return kExitOk;
}

void AddExplain(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command =
      berth.add_subcommand("explain", "Explain why a workload is pending and what would admit it");
  command->add_option("NAME", arguments->name, "Workload, as NAMESPACE/NAME")
      ->required()
      ->option_text(" ");
  command
      ->add_option("-f,--filename", arguments->paths,
                   "Objects: a file, a directory with *.yaml, *.yml and *.json, or - for "
                   "standard input")
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  AddLiveOptions(*command, arguments->live);
  command
      ->add_option("--config", arguments->config, "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command->add_option("--at", arguments->at, "Time of the snapshot in the files (default: now)")
      ->option_text("TIME");
  AddOutputOption(*command, arguments->output, "human");
  command->footer(kExplainFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) {
      return ExplainWorkload(*arguments, out, err);
    };
  });
}

}  // namespace berth::cli
