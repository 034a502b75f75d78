#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "api/meta/manifest.h"
#include "base/check.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "cli/write_file.h"
#include "install/chart_parts.h"
#include "install/manifests.h"
#include "json/json.h"
#include "schema/yaml/writer.h"

namespace berth::cli {
namespace {

constexpr const char* kInstallFooter = R"(Examples:
  berth install | kubectl apply --server-side -f -
  berth install --config berth.yaml --image registry.example/berth:0.1.0 > install.yaml

The names are Kueue's: it takes the place of a Kueue that is installed in the same namespace.)";

constexpr const char* kDefaultConfiguration = R"(apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
leaderElection:
  leaderElect: true
)";

struct InstallArguments {
  std::string output;
  std::string config;
  std::string image;
  std::string integrations;
  std::string chart_parts;
  int replicas = 2;
  bool has_service_monitor = false;
  bool has_dashboard = false;
};

std::optional<std::string> ConfigurationText(const InstallArguments& arguments, Output& err) {
  if (arguments.config.empty()) return kDefaultConfiguration;
  const auto text = ReadInput(arguments.config);
  if (text) return *text;
  err << "berth: " << Printable(base::ToString(text.error())) << "\n";
  return std::nullopt;
}

void PrintManifests(const std::vector<json::value>& objects, const std::string& output,
                    Output& out) {
  if (output == "json") {
    json::array items(objects.begin(), objects.end());
    out << json::Print(
               json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}})
        << "\n";
    return;
  }
  for (const json::value& object : objects) {
    const auto yaml = schema::JsonToYaml(json::Print(object));
    CHECK(yaml.has_value());  // generated text
    out << "---\n" << *yaml;
  }
}

int WriteChartParts(const std::string& folder, Output& err) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    err << "berth: " << Printable(folder) << ": " << error.message() << "\n";
    return kExitTrouble;
  }
  for (const install::ChartPart& part : install::ChartParts())
    if (!WriteTextFile(folder + "/" + part.file_name, part.text, err)) return kExitTrouble;
  return kExitOk;
}

int Install(const InstallArguments& arguments, Output& out, Output& err) {
  if (!arguments.chart_parts.empty()) return WriteChartParts(arguments.chart_parts, err);
  const auto settings = ReadSettings(arguments.config, {}, err);
  if (!settings) return kExitTrouble;
  const auto text = ConfigurationText(arguments, err);
  if (!text) return kExitTrouble;
  jobs::IntegrationSet integrations = jobs::IntegrationSet::WithBuiltIn();
  if (!arguments.integrations.empty()) {
    const schema::Problems problems = integrations.AddDirectory(arguments.integrations);
    for (const schema::Problem& problem : problems)
      err << "berth: " << Printable(schema::ToString(problem)) << "\n";
    if (!problems.empty()) return kExitTrouble;
  }
  install::Options options{.configuration = settings->configuration,
                           .configuration_text = *text,
                           .integrations = &integrations,
                           .replicas = arguments.replicas,
                           .has_service_monitor = arguments.has_service_monitor,
                           .has_dashboard = arguments.has_dashboard};
  if (!arguments.image.empty()) options.image = arguments.image;
  PrintManifests(install::Manifests(options), arguments.output, out);
  return kExitOk;
}

}  // namespace

void AddInstall(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<InstallArguments>();
  CLI::App* command =
      berth.add_subcommand("install", "Print the manifests that install Berth on a cluster");
  AddOutputOption(*command, arguments->output, "yaml");
  command
      ->add_option("--config", arguments->config, "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command->add_option("--image", arguments->image, "Container image (default: berth:latest)")
      ->option_text("IMAGE");
  command
      ->add_option("--integrations", arguments->integrations,
                   "Directory with descriptions of additional job kinds")
      ->option_text("DIR");
  command->add_option("--replicas", arguments->replicas, "Number of replicas (default: 2)")
      ->check(CLI::Range(1, 100))
      ->option_text("N");
  command->add_flag("--service-monitor", arguments->has_service_monitor,
                    "Add a ServiceMonitor for the Prometheus operator");
  command->add_flag("--dashboard", arguments->has_dashboard,
                    "Serve the dashboard, behind the Service kueue-dashboard");
  command
      ->add_option("--chart-parts", arguments->chart_parts,
                   "Write the files of the Helm chart in deploy/chart instead of printing")
      ->option_text("DIR");
  command->footer(kInstallFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return Install(*arguments, out, err); };
  });
}

}  // namespace berth::cli
