#include "cli/simulate_input.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include "api/meta/manifest.h"
#include "cli/input.h"
#include "cli/printable.h"
#include "cli/settings.h"
#include "simulate/load.h"
#include "simulate/trace/generator.h"
#include "simulate/trace/trace.h"
#include "simulate/world/placement_mode.h"
#include "store/system_time.h"

namespace berth::cli {
namespace {

void PrintProblems(const schema::Problems& problems, Output& err) {
  for (const schema::Problem& problem : problems)
    err << "berth: " << Printable(schema::ToString(problem)) << "\n";
}

// Reads one file and adds its contents.
template <class Add>
bool AddFile(const std::string& file, Output& err, Add add) {
  const base::Result<std::string> text = ReadInput(file);
  if (!text) {
    err << "berth: " << Printable(base::ToString(text.error())) << "\n";
    return false;
  }
  const schema::Problems problems = add(*text);
  PrintProblems(problems, err);
  return problems.empty();
}

bool AddJobs(const SimulationFiles& files, simulate::Input& input, Output& err) {
  for (const std::string& file : files.generators) {
    if (!AddFile(file, err, [&](const std::string& text) {
          return simulate::AddGenerated(text, DisplayName(file), input);
        }))
      return false;
  }
  for (const std::string& file : files.traces) {
    const simulate::TraceOptions options{.file = DisplayName(file), .queue = files.queue};
    if (!AddFile(file, err,
                 [&](const std::string& text) { return simulate::AddTrace(text, options, input); }))
      return false;
  }
  simulate::SortJobs(input);
  return true;
}

// Points out generator files, which have their own option.
void PointOutGenerators(const std::vector<std::string>& paths, Output& err) {
  for (const std::string& file : FindInputFiles(paths).files) {
    const base::Result<std::string> text = file == "-" ? std::string() : ReadInput(file);
    simulate::Input ignored;
    if (text && simulate::AddGenerated(*text, DisplayName(file), ignored).empty())
      err << "  " << Printable(file) << " says what to generate: write --generator "
          << Printable(file) << "\n";
  }
}

// The time of a running cluster is now.
base::Time PresentMoment() { return base::Time::FromSeconds(store::SystemTime().seconds()); }

}  // namespace

std::optional<SimulationInput> ReadSimulation(const SimulationFiles& files, Output& err) {
  simulate::LoadOptions options;
  if (!files.at.empty()) {
    options.start = base::ParseTime(files.at);
    if (!options.start) {
      err << "berth: --at " << Printable(files.at)
          << " is not a time\n  write it like 2026-01-02T15:04:05Z\n";
      return std::nullopt;
    }
  }
  std::optional<std::vector<api::Manifest>> manifests = ReadObjects(files.paths, files.live, err);
  if (!manifests) {
    PointOutGenerators(files.paths, err);
    return std::nullopt;
  }
  if (files.live.IsRequested() && !options.start) options.start = PresentMoment();
  const std::optional<Settings> settings =
      ReadSettings(files.config, *manifests, err, files.feature_gates);
  if (!settings) return std::nullopt;
  options.configuration = settings->configuration;
  options.gates = settings->gates;
  simulate::Loaded loaded = simulate::Load(*manifests, std::move(options));
  PrintProblems(loaded.problems, err);
  if (!loaded.problems.empty() || !AddJobs(files, loaded.input, err)) return std::nullopt;
  return SimulationInput{.input = std::move(loaded.input),
                         .unknown_run_times = loaded.unknown_run_times};
}

std::optional<SimulationChange> ReadChange(const std::vector<std::string>& paths, Output& err) {
  const std::optional<std::vector<api::Manifest>> manifests = ReadManifests(paths, err);
  if (!manifests) return std::nullopt;
  SimulationChange change;
  change.objects =
      std::make_shared<const std::vector<api::Object>>(simulate::LoadChange(*manifests));
  for (const api::Manifest& manifest : *manifests) {
    if (!manifest.object) continue;
    if (const auto* configuration = manifest.object->As<api::Configuration>()) {
      change.configuration = *configuration;
      api::ApplyConfigurationDefaults(*change.configuration);
    }
  }
  if (change.objects->empty() && !change.configuration) {
    err << "berth: no change in " << Printable(DisplayName(paths.front()))
        << "\n  a change has ClusterQueues, Cohorts, LocalQueues, ResourceFlavors, Topologies, "
           "Nodes "
           "or a Configuration\n";
    return std::nullopt;
  }
  return change;
}

void WarnOfMissingNodes(const simulate::Input& input, const std::vector<simulate::Edit>& edits,
                        Output& err) {
  if (simulate::PlacementModeOf(input, edits) != simulate::PlacementMode::kNodesMissing) return;
  err << "berth: nodes missing: flavors with a topology count quota alone\n"
         "  add Nodes with -f PATH, or `nodes` in a file for --generator\n";
}

}  // namespace berth::cli
