#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/problem.h"
#include "sim/outcome.h"
#include "sim/scenario.h"

namespace berth::sim {

// What came of one scenario file.
struct ScenarioReport {
  std::string name;                      // as the file says; "" if it does not
  schema::Problems problems;             // why it could not be read; then nothing was played
  schema::Problems warnings;             // what an API server would refuse of it
  std::vector<std::string> differences;  // from what was wanted, a line each

  bool is_readable() const { return problems.empty(); }
  bool has_passed() const { return problems.empty() && differences.empty(); }
};

// How the outcomes of the steps differ from what they wanted. Beyond the first, steps are named:
// `step 2 (at 12:05:00Z): …` is the second entry under `steps`.
std::vector<std::string> Differences(const Scenario& scenario,
                                     const std::vector<Outcome>& outcomes);

// Reads, plays, compares.
ScenarioReport CheckScenario(std::string_view text, const std::string& file);

}  // namespace berth::sim
