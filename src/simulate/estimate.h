#pragma once

// Start time estimates: a distribution over many worlds that differ in the run times of jobs.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "simulate/input.h"
#include "simulate/world/world.h"

namespace berth::simulate {

// Finds a job by its name or that of its owner. The namespace may be omitted if the name is unique.
base::Result<uint32_t> FindJob(const Input& input, std::string_view name);

struct StartEstimate {
  size_t worlds = 0;
  std::vector<double> seconds;  // until the start, sorted; of the worlds in which the job starts
  bool is_running = false;      // the job already holds quota

  // The time within which the job starts with this probability; nullopt if it is lower.
  std::optional<double> Within(double probability) const;
};

// Plays `worlds` worlds with consecutive seeds from that of the options, each until the job starts.
// Stops early when `should_continue` returns false; the estimate covers the worlds played so far.
StartEstimate EstimateStart(const Input& input, const WorldOptions& options, uint32_t job,
                            size_t worlds, const std::function<bool()>& should_continue = {});

std::string ToText(const StartEstimate& estimate, const std::string& name);
std::string ToJson(const StartEstimate& estimate, const std::string& name);

}  // namespace berth::simulate
