#pragma once

// When a job will start: not a moment but a range, from many worlds that differ in what cannot be
// known, which is how long jobs run.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "simulate/input.h"
#include "simulate/world.h"

namespace berth::simulate {

// The job that a user means by its name, or that of its owner, with its namespace or, where that is
// enough, without.
base::Result<uint32_t> FindJob(const Input& input, std::string_view name);

struct StartEstimate {
  size_t worlds = 0;
  std::vector<double> seconds;  // until it starts, sorted; of the worlds in which it does
  bool is_running = false;      // it holds quota already

  // The time within which it starts with this probability; nullopt if it does not.
  std::optional<double> Within(double probability) const;
};

// Plays that many worlds, with seeds counted from that of the options, each until the job starts.
// `goes_on` is asked between them; where it says no, those so far count.
StartEstimate EstimateStart(const Input& input, const WorldOptions& options, uint32_t job,
                            size_t worlds, const std::function<bool()>& goes_on = {});

std::string ToText(const StartEstimate& estimate, const std::string& name);
std::string ToJson(const StartEstimate& estimate, const std::string& name);

}  // namespace berth::simulate
