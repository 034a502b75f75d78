#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/simulate_input.h"

namespace berth::cli {

struct PlanArguments {
  SimulationFiles files;
  std::vector<std::string> changes;
  std::string output;  // "human" or "json"
  bool fails_on_eviction = false;
  bool fails_on_never = false;
};

// Prints the effects of the change; the exit code.
int PlanChange(const PlanArguments& arguments, Output& out, Output& err);

}  // namespace berth::cli
