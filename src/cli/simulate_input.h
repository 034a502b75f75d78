#pragma once

// Input of `berth simulate` and `berth plan`.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/live_objects.h"
#include "cli/output.h"
#include "simulate/input.h"
#include "simulate/world/agenda.h"

namespace berth::cli {

struct SimulationFiles {
  std::vector<std::string> paths;
  LiveCluster live;
  std::vector<std::string> traces;
  std::vector<std::string> generators;
  std::string queue;  // for trace jobs without a queue
  std::string config;
  std::string feature_gates;
  std::string at;
};

struct SimulationInput {
  simulate::Input input;
  size_t unknown_run_times = 0;
};

// True if objects are given.
inline bool HasObjects(const SimulationFiles& files) {
  return !files.paths.empty() || files.live.IsRequested();
}

// Nullopt, with messages on `err`, if anything is invalid.
std::optional<SimulationInput> ReadSimulation(const SimulationFiles& files, Output& err);

struct SimulationChange {
  std::shared_ptr<const std::vector<api::Object>> objects;
  std::optional<api::Configuration> configuration;  // if the files contain one, with defaults
};

std::optional<SimulationChange> ReadChange(const std::vector<std::string>& paths, Output& err);

// Says so if there are topologies without nodes.
void WarnOfMissingNodes(const simulate::Input& input, const std::vector<simulate::Edit>& edits,
                        Output& err);

}  // namespace berth::cli
