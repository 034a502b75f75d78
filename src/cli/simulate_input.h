#pragma once

// What `berth simulate` and `berth plan` read before they begin.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/live_objects.h"
#include "cli/output.h"
#include "simulate/input.h"

namespace CLI {
class App;
}

namespace berth::cli {

struct SimulationFiles {
  std::vector<std::string> paths;
  LiveCluster live;
  std::vector<std::string> traces;
  std::vector<std::string> generators;
  std::string queue;  // of jobs in traces that name none
  std::string config;
  std::string feature_gates;
  std::string at;
};

struct SimulationInput {
  simulate::Input input;
  size_t unknown_run_times = 0;
};

// --live, --kubeconfig and --context.
void AddLiveOptions(CLI::App& command, SimulationFiles& files);
// Whether objects are given at all.
inline bool HasObjects(const SimulationFiles& files) {
  return !files.paths.empty() || files.live.IsWanted();
}

// Nothing if anything is wrong with it; that has been said then.
std::optional<SimulationInput> ReadSimulation(const SimulationFiles& files, Output& err);

struct SimulationChange {
  std::shared_ptr<const std::vector<api::Object>> objects;
  std::optional<api::Configuration> configuration;  // if the files have one, with defaults
};

std::optional<SimulationChange> ReadChange(const std::vector<std::string>& paths, Output& err);

}  // namespace berth::cli
