#pragma once

#include <string>
#include <vector>

#include "cli/live_objects.h"
#include "cli/output.h"

namespace berth::cli {

struct ExplainArguments {
  std::vector<std::string> paths;
  LiveCluster live;
  std::string name;  // of a Workload or its owner, with or without the namespace
  std::string config;
  std::string at;
  std::string output;  // "human" or "json"
};

// Prints the explanation of the workload; the exit code.
int ExplainWorkload(const ExplainArguments& arguments, Output& out, Output& err);

}  // namespace berth::cli
